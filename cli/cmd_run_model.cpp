#include <CLI/CLI.hpp>
#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/tensor/compare.h"
#include "cli/commands.h"
#include "cli/installation.h"
#include "cli/model_options.h"
#include "cli/network_text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/wrap.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/passes/fuse.h"
#include "driver/runtime/executor.h"
#include "workload/digits.h"
#include "workload/network_run.h"

namespace vantage::cli {

namespace {

constexpr int64_t kCalibrationDigits = 64;

struct ModelArguments {
  std::string model;
  bool takes_digits() const { return model == "lenet"; }

  ConfigOption config;
  TargetOptions target{"systemc:"};
  ModelOptions options;
  uint64_t digits = 0;  // of MNIST's test images, that are classified
  bool layers = false, json = false;
};

std::filesystem::path mnist_folder() {
  return data_folder() / "examples" / "mnist_mlp";
}

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

// Of MNIST's images, how many are told in floats and in integers.
struct Told {
  int64_t images = 0, in_floats = 0, in_integers = 0;
};

Told classify(const workload::Digits& digits, int64_t images, const workload::PreparedNetwork& prepared,
              driver::NetworkExecutor& executor) {
  Progress progress("images", 2 * static_cast<uint64_t>(images));
  const auto processor = driver::Processor::open("cpu:");
  network::CompiledNetwork compiled = network::compile_network(graph::fuse_operators(prepared.floats));
  driver::NetworkExecutor floats(std::make_shared<const Network>(std::move(compiled.network)),
                                 cpu::jit(compiled.functions), *processor, nullptr);
  const auto count = [&](driver::NetworkExecutor& network, int64_t before) {
    return workload::count_correct(
        digits, images,
        [&](const graph::Inputs& inputs) {
          for (const auto& [name, value] : inputs) network.set_input(name, value);
          network.run();
          return network.output(0);
        },
        [&](int64_t done) { progress.advance(static_cast<uint64_t>(before + done)); });
  };
  const int64_t in_floats = count(floats, 0);
  return {images, in_floats, count(executor, images)};
}

int run_model(const ModelArguments& a) {
  require_different({{"--trace", a.target.trace}, {"--vcd", a.target.vcd}});
  const isa::Config config = a.config.load();
  const MemoryTiming memory = a.target.memory_setting(config).value_or(MemoryTiming{});
  graph::Graph model = a.options.build(a.model);
  std::optional<workload::Digits> digits;
  if (a.takes_digits()) digits = workload::load_digits(mnist_folder());
  if (digits && a.digits > static_cast<uint64_t>(digits->count())) {
    fail("--digits is {}, there are {}", a.digits, digits->count());
  }
  // Scales are chosen by what the network is run on.
  std::vector<graph::Inputs> calibration;
  for (int64_t image = 0; digits && image < kCalibrationDigits; ++image) calibration.push_back(digits->input(image));
  if (!digits) calibration.push_back(a.options.random_inputs(model));
  const graph::Inputs& inputs = calibration.front();
  const workload::PreparedNetwork prepared =
      workload::prepare_network(std::move(model), calibration, a.options.prepare(config, memory));

  const auto device = a.target.open(config);
  const auto processor = driver::Processor::open("cpu:");
  driver::NetworkExecutor executor(std::make_shared<const Network>(prepared.compiled.network),
                                   cpu::jit(prepared.compiled.functions), *processor, device.get());
  const workload::NetworkMeasurement measured = [&] {
    Progress progress("steps", executor.network().steps.size());
    return workload::measure_network(executor, prepared.compiled, inputs, [&](size_t n) { progress.advance(n); });
  }();
  device->finish_trace();
  Told told;
  if (a.digits > 0) told = classify(*digits, static_cast<int64_t>(a.digits), prepared, executor);
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
                 {"accuracy", {{"snr_db", accuracy.snr_db}, {"same_class", accuracy.same_class}}},
                 {"layers", layers_json(measured, config)}};
    if (measured.has_cycles) {
      json["accelerator_cycles"] = measured.accelerator_cycles.count();
      json["latency_ms"] = 1e3 * measured.latency_seconds;
    }
    if (const std::string name = a.target.memory_name(config); !name.empty()) json["memory"] = name;
    if (!ok) json["mismatch"] = wrong;
    if (told.images > 0) {
      json["accuracy"]["images"] = told.images;
      json["accuracy"]["correct"] = told.in_integers;
      json["accuracy"]["correct_in_floats"] = told.in_floats;
    }
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
    if (measured.has_cycles) {
      print_out("end to end  {:>12}         {:>9.3f} ms\n", "", 1e3 * measured.latency_seconds);
    }
    print_out("{}", wrapped(fmt::format("Quantization leaves the logits an SNR of {:.1f} dB; the first class "
                                        "is {}.",
                                        accuracy.snr_db, accuracy.same_class ? "the same" : "another one"),
                            0));
    if (told.images > 0) {
      print_out("Of {} digits {} are told in integers, {} in floats.\n", told.images, told.in_integers, told.in_floats);
    }
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
  if (a->takes_digits()) {
    command->add_option("--digits", a->digits, "also classify so many of MNIST's 10,000 test images")
        ->check(whole_number(1, UINT64_MAX));
  }
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
