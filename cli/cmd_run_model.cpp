#include <CLI/CLI.hpp>
#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/tensor/compare.h"
#include "cli/commands.h"
#include "cli/model_options.h"
#include "cli/network_text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/wrap.h"
#include "compiler/backend/cpu/jit.h"
#include "driver/runtime/executor.h"
#include "workload/network_run.h"

namespace vantage::cli {

namespace {

struct ModelArguments {
  std::string model;
  ConfigOption config;
  TargetOptions target{"systemc:"};
  ModelOptions options;
  bool layers = false, json = false;
};

// The graph with what its last softmax takes as its output: of large logits all shares but one are next to nothing, and
// tell little.
graph::Graph of_logits(graph::Graph graph) {
  const graph::Node& last = graph.node(graph.outputs()[0]);
  if (last.kind == graph::Node::Kind::kCall && last.op->name == "softmax") graph.set_outputs({last.inputs[0]});
  return graph;
}

// How near the integers' logits are to the floats'.
struct Accuracy {
  double snr_db = 0;
  bool same_class = false;
};

Accuracy accuracy_of(const Tensor& floats, const Tensor& got) {
  double signal = 0, noise = 0;
  int64_t best = 0, best_got = 0;
  for (int64_t e = 0; e < floats.size(); ++e) {
    const double wanted = floats.number(e), error = wanted - got.number(e);
    signal += wanted * wanted;
    noise += error * error;
    if (floats.number(e) > floats.number(best)) best = e;
    if (got.number(e) > got.number(best_got)) best_got = e;
  }
  return {noise > 0 ? 10 * std::log10(signal / noise) : 200, best == best_got};
}

int run_model(const ModelArguments& a) {
  require_different({{"--trace", a.target.trace}, {"--vcd", a.target.vcd}});
  const isa::Config config = a.config.load();
  const MemoryTiming memory = a.target.memory_setting(config).value_or(MemoryTiming{});
  graph::Graph model = a.options.build(a.model);
  const graph::Inputs inputs = a.options.random_inputs(model);
  const workload::PreparedNetwork prepared =
      workload::prepare_network(std::move(model), {inputs}, a.options.prepare(config, memory));

  const auto device = a.target.open(config);
  const auto processor = driver::Processor::open("cpu:");
  driver::NetworkExecutor executor(std::make_shared<const Network>(prepared.compiled.network),
                                   cpu::jit(prepared.compiled.functions), *processor, device.get());
  const workload::NetworkMeasurement measured = [&] {
    Progress progress("steps", executor.network().steps.size());
    return workload::measure_network(executor, prepared.compiled, inputs, [&](size_t n) { progress.advance(n); });
  }();
  device->finish_trace();
  const std::vector<Tensor> expected = workload::run_on_processor(prepared.integers.graph, inputs);
  const Accuracy accuracy = accuracy_of(workload::run_on_processor(of_logits(prepared.floats), inputs)[0],
                                        workload::run_on_processor(of_logits(prepared.integers.graph), inputs)[0]);
  std::string wrong;
  for (size_t i = 0; i < expected.size() && wrong.empty(); ++i) {
    wrong = difference(expected[i], measured.outputs[i]).value_or("");
  }
  const bool ok = wrong.empty();
  if (measured.has_cycles) warn_of_clock(config);

  if (a.json) {
    Json json = {{"ok", ok},
                 {"model", a.model},
                 {"target", a.target.uri},
                 {"config", config.name()},
                 {"clock_mhz", config.clock_mhz()},
                 {"cpu_ms", 1e3 * measured.processor_seconds},
                 {"latency_ms", 1e3 * measured.latency_seconds},
                 {"accuracy", {{"snr_db", accuracy.snr_db}, {"same_class", accuracy.same_class}}},
                 {"layers", layers_json(measured, config)}};
    if (measured.has_cycles) json["accelerator_cycles"] = measured.accelerator_cycles.count();
    if (const std::string name = a.target.memory_name(config); !name.empty()) json["memory"] = name;
    if (!ok) json["mismatch"] = wrong;
    print_out("{}\n", json_text(json));
  } else {
    const std::string memory_name = a.target.memory_name(config);
    print_out("{}", wrapped(fmt::format("{} on {} {} at {} MHz{}", a.model, a.target.uri, config.name(),
                                        config.clock_mhz(), memory_name.empty() ? "" : ", memory " + memory_name),
                            0));
    if (a.layers) print_out("{}\n", layer_table(measured, config));
    if (measured.has_cycles) {
      print_out("accelerator {:>12} cycles  {:>9.3f} ms\n", measured.accelerator_cycles.count(),
                1e3 * measured.accelerator_seconds);
    }
    print_out("processor   {:>12}         {:>9.3f} ms\n", "", 1e3 * measured.processor_seconds);
    print_out("end to end  {:>12}         {:>9.3f} ms\n", "", 1e3 * measured.latency_seconds);
    print_out("{}", wrapped(fmt::format("Quantization leaves the logits an SNR of {:.1f} dB; the first class "
                                        "is {}.",
                                        accuracy.snr_db, accuracy.same_class ? "the same" : "another one"),
                            0));
    if (ok) print_out("All outputs equal those of the same integers on the processor.\n");
  }
  if (!ok) print_error("error: the network's result is wrong: {}\n", wrong);
  return ok ? 0 : 1;
}

}  // namespace

void add_run_model(CLI::App& run, const std::string& model, const std::string& meaning, int& status) {
  auto a = std::make_shared<ModelArguments>();
  a->model = model;
  CLI::App* command = run.add_subcommand(model, meaning);
  a->config.add_to(*command);
  a->target.add_to(*command);
  a->options.add_to(*command);
  command->add_flag("--layers", a->layers, "show every step");
  add_json_flag(*command, a->json);
  command->footer(
      fmt::format("Examples:\n"
                  "  vantage run {0}\n"
                  "  vantage run {0} --layers --config 32x32\n"
                  "  vantage run {0} --scales multiply-shift --per-channel --json",
                  model));
  command->callback([a, &status] { status = run_model(*a); });
}

}  // namespace vantage::cli
