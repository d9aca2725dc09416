#include "cli/report.h"

#include <fmt/format.h>

#include <cstdio>

namespace vantage::cli {

Json report_json(bool ok, const std::string& target, const spec::Config& config, const sim::RunResult& result) {
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
  }
  return json;
}

std::string counter_table(const sim::RunResult& result) {
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
  }
  return text;
}

void print_warnings(const sim::RunResult& result) {
  for (const std::string& warning : result.warnings) fmt::print(stderr, "warning: {}\n", warning);
}

}  // namespace vantage::cli
