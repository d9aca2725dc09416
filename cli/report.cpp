#include "cli/report.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/json.h"
#include "cli/output.h"
#include "sim/profile/summary.h"

namespace vantage::cli {

namespace {

std::string summary_lines(const isa::Config& config, const sim::RunResult& result) {
  const sim::Summary summary = sim::summarize(config, result);
  return fmt::format(
      "{:>18} {:.2f} us at {} MHz\n{:>18} {:.2f}\n{:>18} {:.1f} % of the cycles\n{:>18} {:.1f} % reading, {:.1f} % "
      "writing\n{:>18} {}\n",
      "time", 1e6 * summary.seconds, config.clock_mhz(), "GOPS", summary.gops, "GEMM core",
      100 * summary.gemm_utilisation, "bus", 100 * summary.read_utilisation, 100 * summary.write_utilisation,
      "bottleneck", summary.bottleneck);
}

}  // namespace

Json report_json(bool ok, const std::string& target, const isa::Config& config, const sim::RunResult& result) {
  Json counters = Json::object();
  for (const isa::CounterInfo& info : isa::kCounters) counters[std::string(info.name)] = result.counters.*info.value;
  Json json = {{"ok", ok}, {"target", target}, {"config", config.name()}, {"counters", std::move(counters)}};
  if (result.cycles) {
    json["cycles"] = result.cycles->count();
    Json stages = Json::object();
    for (isa::Stage stage : isa::kAllStages) {
      const sim::StageCycles& cycles = result.stages.at(static_cast<size_t>(stage));
      stages[std::string(isa::name(stage))] = {{"busy", cycles.busy.count()},
                                               {"token_wait", cycles.token_wait.count()},
                                               {"memory_wait", cycles.memory_wait.count()},
                                               {"idle", cycles.idle.count()}};
    }
    json["stages"] = std::move(stages);
    if (result.cycles->count() != 0) {
      const sim::Summary summary = sim::summarize(config, result);
      json["time_us"] = 1e6 * summary.seconds;
      json["gops"] = summary.gops;
      json["utilisation"] = {{"gemm_core", summary.gemm_utilisation},
                             {"bus_read", summary.read_utilisation},
                             {"bus_write", summary.write_utilisation}};
      json["bottleneck"] = summary.bottleneck;
    }
  }
  return json;
}

std::string run_table(const isa::Config& config, const sim::RunResult& result) {
  std::string text;
  for (const isa::CounterInfo& info : isa::kCounters) {
    text += fmt::format("{:>18} {}\n", info.name, result.counters.*info.value);
  }
  if (result.cycles) {
    text += fmt::format("{:>18} {}\n\n{:>18} {:>12} {:>12} {:>12} {:>12}\n", "cycles", result.cycles->count(), "stage",
                        "busy", "token wait", "memory wait", "idle");
    for (isa::Stage stage : isa::kAllStages) {
      const sim::StageCycles& cycles = result.stages.at(static_cast<size_t>(stage));
      text += fmt::format("{:>18} {:>12} {:>12} {:>12} {:>12}\n", isa::name(stage), cycles.busy.count(),
                          cycles.token_wait.count(), cycles.memory_wait.count(), cycles.idle.count());
    }
    if (result.cycles->count() != 0) text += "\n" + summary_lines(config, result);
  }
  return text;
}

void print_warnings(const sim::RunResult& result) {
  for (const std::string& warning : result.warnings) print_error("warning: {}\n", warning);
}

}  // namespace vantage::cli
