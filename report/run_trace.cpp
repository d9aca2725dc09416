#include "report/run_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "hw/isa/disassemble.h"
#include "sim/profile/scratchpad_uses.h"
#include "sim/profile/token_links.h"

namespace vantage::report {

using isa::Stage;
using sim::RecordedRun;
using Extent = Detail::Extent;

namespace {

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

RunTrace::RunTrace(const isa::Config& config) : config_(config) {}

void RunTrace::add(const RecordedRun& run) {
  if (stopped_) return;
  VANTAGE_CHECK(run.result.cycles);
  runs_.push_back({cycles_, run.result.cycles->count(), detail_.count(), run.result.retired.size()});
  add_engines(run);
  add_stages(run);
  add_bus(run);
  add_fills(run);
  add_instructions(run);
  cycles_ += run.result.cycles->count();
}

Series& RunTrace::series(const std::string& group, const std::string& name, const std::string& unit, double full) {
  const auto found = std::find_if(channels_.begin(), channels_.end(),
                                  [&](const Channel& c) { return c.group == group && c.name == name; });
  if (found != channels_.end()) return found->series;
  return channels_.emplace_back(Channel{group, name, unit, full}).series;
}

void RunTrace::add_engines(const RecordedRun& run) {
  for (const sim::Engine engine : sim::kAllEngines) {
    Series& works = series("engine", std::string(name(engine)), "share", 1);
    for (const sim::EngineWork& work : run.work) {
      if (work.engine == engine) works.add(cycles_ + work.first.count(), work.last.count() + 1 - work.first.count(), 1);
    }
  }
}

// Busy cycles that one stage has twice (a DMA writes while an engine works) count once where both come one a cycle.
void RunTrace::add_stages(const RecordedRun& run) {
  if (run.busy.empty()) return;
  for (const Stage stage : isa::kAllStages) {
    const std::string stage_name(name(stage));
    Series& busy = series("stage", stage_name + " busy", "share", 1);
    std::vector<std::pair<uint64_t, uint64_t>> intervals;  // begin, end
    for (const sim::StageBusy& b : run.busy) {
      if (b.stage != stage) continue;
      if (b.step == 1) {
        intervals.emplace_back(b.first.count(), b.first.count() + b.count);
      } else {
        busy.add(cycles_ + b.first.count(), b.step * b.count, 1.0 / static_cast<double>(b.step));
      }
    }
    std::sort(intervals.begin(), intervals.end());
    uint64_t end = 0;
    for (const auto& [from, to] : intervals) {
      if (to > end) busy.add(cycles_ + std::max(from, end), to - std::max(from, end), 1);
      end = std::max(end, to);
    }
    Series& waits = series("stage", stage_name + " token wait", "share", 1);
    for (const sim::TokenWait& wait : run.token_waits) {
      if (wait.stage == stage) waits.add(cycles_ + wait.first.count(), wait.last.count() + 1 - wait.first.count(), 1);
    }
    // Whoever draws it takes what is busy from it: what is left are waits for memory
    Series& under_way = series("stage", stage_name + " under way", "share", 1);
    uint64_t known = 0;
    for (const sim::RetireRecord& record : run.result.retired) {
      if (record.stage != stage) continue;
      const uint64_t from = std::max(record.start.count() + 1, known), to = record.end.count() + 1;
      if (to > from) under_way.add(cycles_ + from, to - from, 1);
      known = std::max(known, to);
    }
  }
}

void RunTrace::add_bus(const RecordedRun& run) {
  if (run.bursts.empty()) return;
  const auto width = static_cast<double>(config_.bus_width().count());
  Series& reads = series("bus", "read", "bytes/cycle", width);
  Series& writes = series("bus", "write", "bytes/cycle", width);
  for (const sim::BusBurst& burst : run.bursts) {
    const uint64_t first = burst.first.count(), cycles = burst.last.count() + 1 - first;
    const double rate = static_cast<double>(burst.bytes.count()) / static_cast<double>(cycles);
    (burst.is_write ? writes : reads).add(cycles_ + first, cycles, rate);
  }
}

void RunTrace::add_changes(Series& series, const sim::Changes& changes, uint64_t run_cycles) {
  int64_t fill = 0;
  uint64_t since = 0;
  for (const auto& [cycle, by] : changes) {
    const uint64_t now = std::min(cycle, run_cycles);
    series.add(cycles_ + since, now - since, static_cast<double>(fill));
    since = now;
    fill += by;
  }
  series.add(cycles_ + since, run_cycles - since, static_cast<double>(std::max<int64_t>(fill, 0)));
}

void RunTrace::add_fills(const RecordedRun& run) {
  const uint64_t run_cycles = run.result.cycles->count();
  for (const auto& [memory, changes] : sim::occupied_entries(run)) {
    const auto depth = static_cast<double>(config_.depth(memory).count());
    add_changes(series("scratchpad", std::string(name(memory)), "entries", depth), changes, run_cycles);
  }
  for (const auto& [count, changes] : sim::fills(run)) {
    if (count.ends_with(" done")) continue;
    add_changes(series("queue", count, count.ends_with("tokens") ? "tokens" : "instructions", 0), changes, run_cycles);
  }
}

void RunTrace::add_instructions(const RecordedRun& run) {
  const uint64_t first_insn = detail_.count();
  const auto at = [&](Cycles cycle) { return static_cast<int64_t>(cycles_ + cycle.count()); };
  std::vector<const sim::EngineWork*> worked(run.insns.size());
  for (const sim::EngineWork& work : run.work) worked[work.insn] = &work;
  // Of two tokens that one instruction pops, the one that came last let it go
  std::vector<std::pair<Cycles, int64_t>> let_go(run.insns.size(), {Cycles(), -1});
  for (const sim::TokenLink& link : sim::token_links(run)) {
    auto& [pushed, from] = let_go[link.to];
    if (from < 0 || link.pushed > pushed) pushed = link.pushed, from = link.from;
  }
  std::vector<const sim::RetireRecord*> in_order;
  in_order.reserve(run.result.retired.size());
  for (const sim::RetireRecord& record : run.result.retired) in_order.push_back(&record);
  std::sort(in_order.begin(), in_order.end(), [](const auto* a, const auto* b) { return a->insn < b->insn; });
  for (const sim::RetireRecord* record : in_order) {
    const sim::EngineWork* work = worked[record->insn];
    const int64_t waited_for = let_go[record->insn].second;
    const std::string text = trimmed(isa::disassemble(run.insns[record->insn]));
    detail_.add({at(record->issue), at(record->start), at(work != nullptr ? work->first : record->start),
                 at(work != nullptr ? work->last : record->end), at(record->end),
                 work != nullptr ? static_cast<size_t>(work->engine) : sim::kAllEngines.size(),
                 waited_for < 0 ? -1 : static_cast<int64_t>(first_insn) + waited_for, text});
  }
}

Json RunTrace::json(const std::vector<std::string>& names, size_t budget) const {
  if (runs_.empty()) return {};
  Json json = {{"cycles", cycles_}, {"clock_mhz", config_.clock_mhz()}};
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    json["runs"].push_back({{"name", i < names.size() ? names[i] : fmt::format("run {}", i + 1)},
                            {"first_cycle", run.first_cycle},
                            {"cycles", run.cycles},
                            {"first_insn", run.first_insn},
                            {"insns", run.insns}});
  }
  uint64_t width = 1;
  for (const Channel& channel : channels_) width = std::max(width, channel.series.bucket_cycles());
  json["bucket_cycles"] = width;
  for (const sim::Engine engine : sim::kAllEngines) json["engines"].push_back(name(engine));
  for (const Channel& channel : channels_) {
    Series series = channel.series;
    series.widen(width);
    const double full = channel.full > 0 ? channel.full : std::max(1.0, series.peak());
    json["channels"].push_back({{"group", channel.group},
                                {"name", channel.name},
                                {"unit", channel.unit},
                                {"full", full},
                                {"levels", packed(series.levels(cycles_, full))}});
  }
  const size_t so_far = json_line(json).size();
  for (const Extent extent : {Extent::kAll, Extent::kNoTexts, Extent::kWorkOnly}) {
    Json detail = detail_.json(extent);
    if (so_far + json_line(detail).size() > budget) continue;
    json["instructions"] = std::move(detail);
    if (extent != Extent::kAll) json["left_out"] = extent == Extent::kNoTexts ? "texts" : "all but work";
    return json;
  }
  json["left_out"] = "instructions";
  return json;
}

}  // namespace vantage::report
