#include "cli/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "base/json.h"
#include "cli/output.h"
#include "cli/wrap.h"
#include "sim/profile/summary.h"

namespace vantage::cli {

namespace {

constexpr size_t kLabel = 18;

std::string row(std::string_view label, const std::string& text) {
  return fmt::format("{:>{}} {}", label, kLabel, wrapped(text, kLabel + 1));
}

const sim::Work* work_of(const RunFacts& facts) {
  return facts.work ? &*facts.work : nullptr;
}

bool has_time(const sim::RunResult& result) {
  return result.cycles && result.cycles->count() != 0;
}

// What was executed and what of it the workload needed; empty when nothing was.
std::string operations(const isa::Config& config, const sim::RunResult& result, const sim::Work* work) {
  const sim::Executed executed = sim::executed(config, result.counters);
  if (executed.operations == 0) return "";
  std::string text = fmt::format("{} executed by the {}", executed.operations, executed.by_alu ? "ALU" : "GEMM core");
  text += work != nullptr ? fmt::format(", {} useful", work->useful) : std::string(", padding included");
  text = row("operations", text);
  if (work == nullptr) return text;
  if (const double share = sim::left_out_share(*work, executed); share > 0) {
    text += row("left out", fmt::format("{:.1f} %, which are with zeros around images", 100 * share));
  }
  if (work->paddings.empty()) return text;
  return text + row("padding", fmt::format("{:.1f} %: {}", 100 * sim::padding_share(*work, executed),
                                           fmt::join(work->paddings, ", ")));
}

std::string summary_lines(const isa::Config& config, const sim::RunResult& result, const sim::Work* work) {
  const sim::Summary s = sim::summarize(config, result, work);
  std::string text =
      row("time", fmt::format("{:.2f} us at {:.6g} MHz", 1e6 * s.seconds, sim::clock_mhz(config, result)));
  text += operations(config, result, work);
  if (s.executed.operations != 0) {
    const std::string useful = s.useful_gops ? fmt::format(", {:.2f} useful", *s.useful_gops) : ", padding included";
    text += row("GOPS", fmt::format("{:.2f} executed{}", s.executed_gops, useful));
  }
  if (!s.executed.by_alu) {
    const std::string useful = s.useful_gemm_utilisation
                                   ? fmt::format(", {:.1f} % useful", 100 * *s.useful_gemm_utilisation)
                                   : std::string(", padding included");
    text += row("GEMM core", fmt::format("{:.1f} % of the cycles{}", 100 * s.gemm_utilisation, useful));
  }
  text += row("ALU", fmt::format("{:.1f} % of the cycles", 100 * s.alu_utilisation));
  text += row("bus",
              fmt::format("{:.1f} % reading, {:.1f} % writing", 100 * s.read_utilisation, 100 * s.write_utilisation));
  return text + row("bottleneck", s.bottleneck);
}

void add_summary(Json& json, const isa::Config& config, const sim::RunResult& result, const sim::Work* work) {
  const sim::Summary s = sim::summarize(config, result, work);
  json["seconds"] = s.seconds;
  json["executed_gops"] = s.executed_gops;
  if (s.useful_gops) json["useful_gops"] = *s.useful_gops;
  Json& shares = json["utilisation"];
  shares["gemm_core"] = s.gemm_utilisation;
  if (s.useful_gemm_utilisation) shares["gemm_core_useful"] = *s.useful_gemm_utilisation;
  shares["alu"] = s.alu_utilisation;
  shares["bus_read"] = s.read_utilisation;
  shares["bus_write"] = s.write_utilisation;
  json["bottleneck"] = s.bottleneck;
}

}  // namespace

Json report_json(bool ok, const std::string& target, const isa::Config& config, const sim::RunResult& result,
                 const RunFacts& facts) {
  Json counters = Json::object();
  for (const isa::CounterInfo& info : isa::kCounters) counters[std::string(info.name)] = result.counters.*info.value;
  Json json = {{"ok", ok}, {"target", target}, {"config", config.name()}, {"counters", std::move(counters)}};
  const sim::Executed executed = sim::executed(config, result.counters);
  json["executed_operations"] = executed.operations;
  json["executed_by"] = executed.by_alu ? "alu" : "gemm_core";
  if (facts.work) {
    json["useful_operations"] = facts.work->useful;
    json["left_out"] = sim::left_out_share(*facts.work, executed);
    json["padding"] = {{"share", sim::padding_share(*facts.work, executed)}, {"of", facts.work->paddings}};
  }
  if (result.cycles) {
    json["clock_mhz"] = json_number(sim::clock_mhz(config, result));
    if (!facts.memory.empty()) json["memory"] = facts.memory;
    json["cycles"] = result.cycles->count();
    if (result.host_cycles) json["host_cycles"] = result.host_cycles->count();
    Json stages = Json::object();
    for (isa::Stage stage : isa::kAllStages) {
      const sim::StageCycles& cycles = result.stages.at(static_cast<size_t>(stage));
      stages[std::string(isa::name(stage))] = {{"busy", cycles.busy.count()},
                                               {"token_wait", cycles.token_wait.count()},
                                               {"memory_wait", cycles.memory_wait.count()},
                                               {"idle", cycles.idle.count()}};
    }
    json["stages"] = std::move(stages);
    if (has_time(result)) add_summary(json, config, result, work_of(facts));
  }
  if (!facts.energy.json.is_null()) json["energy"] = facts.energy.json;
  return json;
}

std::string setup_line(const std::string& target, const isa::Config& config, const sim::RunResult& result,
                       const RunFacts& facts) {
  std::string text = fmt::format("on {} {}", target, config.name());
  if (result.cycles) text += fmt::format(" at {:.6g} MHz", sim::clock_mhz(config, result));
  if (result.cycles && !facts.memory.empty()) text += fmt::format(", memory {}", facts.memory);
  return wrapped(text, 0);
}

std::string run_table(const isa::Config& config, const sim::RunResult& result, const RunFacts& facts) {
  std::string text;
  for (const isa::CounterInfo& info : isa::kCounters) {
    text += row(info.name, fmt::format("{}", result.counters.*info.value));
  }
  if (!result.cycles) return text + operations(config, result, work_of(facts)) + facts.energy.text;
  text += row("cycles", fmt::format("{}", result.cycles->count()));
  if (result.host_cycles) text += row("host cycles", fmt::format("{} before the run", result.host_cycles->count()));
  text += fmt::format("\n{:>18} {:>12} {:>12} {:>12} {:>12}\n", "stage", "busy", "token wait", "memory wait", "idle");
  for (isa::Stage stage : isa::kAllStages) {
    const sim::StageCycles& cycles = result.stages.at(static_cast<size_t>(stage));
    text += fmt::format("{:>18} {:>12} {:>12} {:>12} {:>12}\n", isa::name(stage), cycles.busy.count(),
                        cycles.token_wait.count(), cycles.memory_wait.count(), cycles.idle.count());
  }
  if (has_time(result)) text += "\n" + summary_lines(config, result, work_of(facts));
  return text + facts.energy.text;
}

void print_warnings(const sim::RunResult& result) {
  for (const std::string& warning : result.warnings) print_error("warning: {}\n", warning);
}

}  // namespace vantage::cli
