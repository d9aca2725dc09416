#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/elementwise_options.h"
#include "cli/progress.h"
#include "cli/search_options.h"
#include "cli/workload_arguments.h"
#include "compiler/backend/vta/lower.h"
#include "driver/device/accelerator.h"
#include "workload/elementwise.h"
#include "workload/useful_work.h"

namespace vantage::cli {

using ops::Elementwise;

namespace {

struct ElementwiseArguments : WorkloadArguments {
  ElementwiseOptions elementwise;
  bool explain = false;
};

int run_elementwise(ElementwiseArguments arguments) {
  arguments.check();
  const isa::Config config = arguments.config.load();
  const Elementwise layer = arguments.elementwise.layer(config);
  const MemoryTiming memory = arguments.target.memory_setting(config).value_or(MemoryTiming{});
  const ops::ElementwiseSearch found = arguments.elementwise.find(layer, config, memory);
  const ops::ElementwiseTiling& tiling = found.tiling;
  const Program program = vta::compile(ops::schedule_elementwise(layer, tiling, config).function(), config);

  std::mt19937_64 random(arguments.seed);
  const Tensor a = workload::random_elementwise_operand(layer, config, random);
  std::optional<Tensor> b;
  if (layer.operands > 1) b = workload::random_elementwise_operand(layer, config, random);

  const auto device = arguments.target.open(config, arguments.html.observer(config));
  const auto run = [&] {
    Progress progress("instructions", program.insns.size());
    driver::RunOptions options;
    options.progress = [&](uint64_t retired, uint64_t total) { progress.advance(retired, total); };
    return workload::run_elementwise(*device, layer, program, a, b, !arguments.record.empty(), options);
  }();
  if (run.bundle) save_bundle(*run.bundle, arguments.record);
  device->finish_trace();

  const std::optional<int>& immediate = arguments.elementwise.immediate;
  const std::string& op = arguments.elementwise.op;
  const std::string operation =
      fmt::format("{} {} {}", op, layer.size,
                  immediate ? fmt::format("values and {}", *immediate) : std::string("pairs of values"));
  WorkloadReport report;
  report.workload = {{"name", "elementwise"},
                     {"size", layer.size},
                     {"op", op},
                     {"shift", arguments.elementwise.shift},
                     {"tile", tiling.tiles},
                     {"virtual_threads", tiling.threads},
                     {"double_buffer", tiling.double_buffer},
                     {"instructions", program.insns.size()},
                     {"search", search_json(found)}};
  if (immediate) report.workload["immediate"] = *immediate;
  report.title = "elementwise " + operation;
  report.details = fmt::format("{} elements at a time, {} virtual thread{}{}; {} instructions\n", tiling.tiles,
                               tiling.threads, tiling.threads == 1 ? "" : "s",
                               tiling.double_buffer ? ", double-buffered" : "", program.insns.size());
  if (arguments.explain) report.explanation = search_text(found);
  report.work = workload::useful_work(layer, config);
  report.least = workload::least_traffic(program);
  if (arguments.target.memory_setting(config)) report.bound = found.bound;  // of this project's core
  report.success = fmt::format("All {} results equal those of plain loops.", layer.size);
  report.difference =
      workload::first_value_difference(workload::elementwise_reference(layer, config, a, b), run.values);
  return report_workload(arguments, config, run.result, report);
}

}  // namespace

void add_run_elementwise(CLI::App& run, int& status) {
  auto a = std::make_shared<ElementwiseArguments>();
  CLI::App* elementwise = run.add_subcommand(
      "elementwise", "values combined one by one: C = clip((A op B) >> shift), checked; tiles chosen by a search");
  a->add_to(*elementwise);
  a->elementwise.add_to(*elementwise);
  elementwise->add_flag("--explain", a->explain, "say how near the best there is this comes, and what binds");
  elementwise->footer(
      "Examples:\n"
      "  vantage run elementwise\n"
      "  vantage run elementwise --size 1000000 --op max --immediate 0 --target fsim:\n"
      "  vantage run elementwise --size 1000 --explain\n"
      "  vantage run elementwise --op mul --shift 7 --config batch2 --json");
  elementwise->callback([a, &status] { status = run_elementwise(*a); });
}

}  // namespace vantage::cli
