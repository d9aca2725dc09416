#include "cli/float_run.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/tensor/npy.h"
#include "cli/gpu_code.h"
#include "cli/network_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "compiler/graph/passes/fuse.h"
#include "driver/runtime/executor.h"
#include "workload/network_run.h"
#include "workload/node_check.h"
#include "workload/processor_code.h"

namespace vantage::cli {

namespace {

// Where floats run: a processor with threads, or a GPU.
struct FloatDevice {
  std::unique_ptr<driver::Processor> processor;
  std::shared_ptr<const cuda::Nvrtc> nvrtc;
  std::unique_ptr<driver::FunctionDevice> functions;
};

// What is missing is said before a model is built.
FloatDevice open_for_floats(const ModelArguments& a) {
  FloatDevice device;
  if (is_gpu_target(a.target.uri)) {
    device.functions = open_gpu(a.target.uri);
    device.nvrtc = load_nvrtc();
  } else {
    device.processor = driver::Processor::open(kProcessorTarget, a.threads);
  }
  return device;
}

network::CompiledNetwork compile_onto(FloatDevice& device, const graph::Graph& graph) {
  if (device.processor) {
    network::CompiledNetwork compiled = network::compile_network(graph, {.threads = device.processor->threads()});
    device.functions = driver::functions_here(*device.processor, workload::processor_code(compiled.functions));
    return compiled;
  }
  network::CompiledNetwork compiled = network::compile_network(graph, {.is_for_gpu = true});
  device.functions->load_programs(compile_gpu_code(compiled, architecture_of(*device.functions), *device.nvrtc));
  return compiled;
}

}  // namespace

int run_floats(const ModelArguments& a) {
  FloatDevice device = open_for_floats(a);
  FloatModel model = a.options.floats(a.model);
  const network::CompiledNetwork compiled = compile_onto(device, graph::fuse_operators(std::move(model.graph)));
  const Network& network = compiled.network;
  const graph::Inputs inputs = a.inputs_of(network, std::move(model.inputs));
  const auto outputs = a.files.files_of_outputs(network);
  std::vector<std::pair<std::string, std::string>> written;
  for (const auto& [name, file] : outputs) written.emplace_back("--output " + name, file);
  written.emplace_back("--html", a.html.file());
  require_different(written);
  a.html.check();

  driver::NetworkExecutor executor(std::make_shared<const Network>(network), *device.functions, nullptr);
  std::string wrong;
  workload::NodeCheck check(compiled.graph, executor);
  const workload::NetworkMeasurement measured = [&] {
    Progress progress("steps", network.steps.size());
    return workload::measure_network(executor, inputs, [&](size_t n) {
      if (a.check && wrong.empty()) wrong = check(n - 1).value_or("");
      progress.advance(n);
    });
  }();
  std::optional<driver::Timing> timing;
  if (a.repeat > 0) timing = executor.time({.number = 1, .repeat = static_cast<int>(a.repeat)});
  for (const auto& [name, file] : outputs) write_npy(file, executor.output(name));

  const bool ok = wrong.empty();
  const NetworkReport report{network, a.target, measured, {}, {}, a.target.uri};
  if (a.json) {
    Json json = report.json();
    if (device.processor) json["threads"] = device.processor->threads();
    json["ok"] = ok;
    if (!ok) json["mismatch"] = wrong;
    if (timing) report.add(*timing, json);
    print_out("{}\n", json_text(json));
  } else {
    print_out("{}", report.text(a.layers));
    if (timing) print_out("{}", report.text(*timing));
    if (ok && a.check) print_out("All {} steps make what their operators' plain loops make.\n", network.steps.size());
  }
  if (ok) report.write(a.html, a.json);
  if (!ok) print_error("error: the network's result is wrong: {}\n", wrong);
  return ok ? 0 : 1;
}

}  // namespace vantage::cli
