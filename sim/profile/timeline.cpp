#include "sim/profile/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/json.h"
#include "hw/isa/disassemble.h"
#include "hw/isa/tokens.h"

namespace vantage::sim {

using isa::Stage;

namespace {

constexpr int kProcess = 1;
constexpr size_t kLanesPerStage = 100;  // in the numbering of threads

size_t thread_of(Stage stage, size_t lane) {
  return (static_cast<size_t>(stage) + 1) * kLanesPerStage + lane;
}

// How much a queue gains or loses in each cycle.
using Changes = std::map<uint64_t, int64_t>;

std::string assembly(const isa::Insn& insn) {
  std::string text = disassemble(insn);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

Timeline::Timeline(const isa::Config& config) : title_(config.name()), clock_mhz_(config.clock_mhz()) {}

double Timeline::microseconds(uint64_t cycle) const {
  return static_cast<double>(origin_ + cycle) / clock_mhz_;
}

void Timeline::append(const std::string& event) {
  if (!events_.empty()) events_ += ',';
  events_ += '\n';
  events_ += event;
}

void Timeline::add(const RunResult& result, std::span<const isa::Insn> insns, std::span<const BusBurst> bursts) {
  VANTAGE_CHECK(result.cycles);
  for (auto& lanes : lanes_) lanes.assign(lanes.size(), Lane{});
  add_slices(result, insns);
  add_queues(result, insns);
  add_bus(bursts);
  origin_ += result.cycles->count();
}

void Timeline::add_slices(const RunResult& result, std::span<const isa::Insn> insns) {
  std::vector<RetireRecord> records = result.retired;
  std::stable_sort(records.begin(), records.end(),
                   [](const RetireRecord& a, const RetireRecord& b) { return a.start < b.start; });
  for (const RetireRecord& record : records) {
    const uint64_t start = record.start.count();
    const uint64_t after = record.end.count() + 1;
    auto& lanes = lanes_[static_cast<size_t>(record.stage)];
    auto lane = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& l) { return l.free_from <= start; });
    if (lane == lanes.end()) lane = lanes.insert(lanes.end(), Lane{});
    lane->free_from = after;
    append(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":"{}","name":{},"args":)"
                       R"({{"insn":{},"dispatched":{},"start":{},"end":{}}}}})",
                       kProcess, thread_of(record.stage, static_cast<size_t>(lane - lanes.begin())),
                       microseconds(start), static_cast<double>(after - start) / clock_mhz_, name(record.stage),
                       Json(assembly(insns[record.insn])).dump(), record.insn, record.issue.count(), start,
                       record.end.count()));
  }
}

void Timeline::add_queues(const RunResult& result, std::span<const isa::Insn> insns) {
  std::map<std::string, Changes> queues;
  const auto change = [&](const std::string& queue, Cycles cycle, int64_t by) { queues[queue][cycle.count()] += by; };
  for (Stage stage : isa::kAllStages) queues[fmt::format("{} commands", name(stage))];
  for (const RetireRecord& record : result.retired) {
    const std::string commands = fmt::format("{} commands", name(record.stage));
    change(commands, record.issue, 1);
    change(commands, record.start, -1);
    const isa::Deps& deps = isa::deps(insns[record.insn]);
    const auto tokens = [&](bool moves, std::optional<isa::TokenQueue> queue, Cycles cycle, int64_t by) {
      if (moves && queue) change(fmt::format("{} tokens", name(*queue)), cycle, by);
    };
    tokens(deps.pop_prev, pop_prev_queue(record.stage), record.start, -1);
    tokens(deps.pop_next, pop_next_queue(record.stage), record.start, -1);
    tokens(deps.push_prev, push_prev_queue(record.stage), record.end, 1);
    tokens(deps.push_next, push_next_queue(record.stage), record.end, 1);
  }
  for (const auto& [queue, changes] : queues) {
    int64_t fill = 0;
    add_counter(queue, 0, 0);
    for (const auto& [cycle, by] : changes) {
      if (by == 0) continue;
      fill += by;
      add_counter(queue, cycle, static_cast<double>(fill));
    }
  }
}

// A burst carries its bytes evenly from its first beat to its last.
void Timeline::add_bus(std::span<const BusBurst> bursts) {
  for (const bool writes : {false, true}) {
    const std::string counter = writes ? "bus write bytes/cycle" : "bus read bytes/cycle";
    double rate = 0;
    uint64_t end = 0;
    add_counter(counter, 0, 0);
    const auto set = [&](uint64_t cycle, double value) {
      if (value == rate) return;
      add_counter(counter, cycle, value);
      rate = value;
    };
    for (const BusBurst& burst : bursts) {
      if (burst.is_write != writes) continue;
      const uint64_t first = burst.first.count();
      const uint64_t length = burst.last.count() + 1 - first;
      if (first > end) set(end, 0);
      set(first, static_cast<double>(burst.bytes.count()) / static_cast<double>(length));
      end = burst.last.count() + 1;
    }
    set(end, 0);
  }
}

void Timeline::add_counter(const std::string& name, uint64_t cycle, double value) {
  append(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":"{}","args":{{"value":{}}}}})", kProcess,
                     microseconds(cycle), name, value));
}

std::string Timeline::json() const {
  std::string text = R"({"displayTimeUnit":"ns","traceEvents":[)";
  text += fmt::format(
      "\n"
      R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})",
      kProcess, Json(title_).dump());
  for (Stage stage : isa::kAllStages) {
    const auto& lanes = lanes_[static_cast<size_t>(stage)];
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      const size_t thread = thread_of(stage, lane);
      const std::string label = lane == 0 ? std::string(name(stage)) : fmt::format("{} {}", name(stage), lane + 1);
      text += fmt::format(
          ",\n"
          R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}"}}}})",
          kProcess, thread, label);
      text += fmt::format(
          ",\n"
          R"({{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})",
          kProcess, thread, thread);
    }
  }
  if (!events_.empty()) text += ',';
  text += events_;
  text += "\n]}\n";
  return text;
}

}  // namespace vantage::sim
