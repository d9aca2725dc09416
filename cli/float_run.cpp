#include "cli/float_run.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/tensor/npy.h"
#include "cli/network_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/passes/fuse.h"
#include "driver/runtime/executor.h"
#include "workload/network_run.h"
#include "workload/node_check.h"

namespace vantage::cli {

int run_floats(const ModelArguments& a) {
  FloatModel model = a.options.floats(a.model);
  const auto processor = driver::Processor::open(kProcessorTarget, a.threads);
  const network::CompiledNetwork compiled =
      network::compile_network(graph::fuse_operators(std::move(model.graph)), {.threads = processor->threads()});
  const Network& network = compiled.network;
  const graph::Inputs inputs = a.inputs_of(network, std::move(model.inputs));
  const auto outputs = a.files.files_of_outputs(network);
  std::vector<std::pair<std::string, std::string>> written;
  for (const auto& [name, file] : outputs) written.emplace_back("--output " + name, file);
  written.emplace_back("--html", a.html.file());
  require_different(written);
  a.html.check();

  driver::NetworkExecutor executor(std::make_shared<const Network>(network), cpu::jit(compiled.functions), *processor,
                                   nullptr);
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
  const NetworkReport report{network, a.target, measured};
  if (a.json) {
    Json json = report.json();
    json["target"] = kProcessorTarget;
    json["threads"] = processor->threads();
    json["ok"] = ok;
    if (!ok) json["mismatch"] = wrong;
    if (timing) json["host_ms"] = host_ms_json(*timing);
    print_out("{}\n", json_text(json));
  } else {
    print_out("{}", report.text(a.layers));
    if (timing) print_out("{}", host_ms_text(*timing));
    if (ok && a.check) print_out("All {} steps make what their operators' plain loops make.\n", network.steps.size());
  }
  if (ok) report.write(a.html, a.json);
  if (!ok) print_error("error: the network's result is wrong: {}\n", wrong);
  return ok ? 0 : 1;
}

}  // namespace vantage::cli
