#include "sim/profile/timeline.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/json.h"
#include "hw/isa/disassemble.h"
#include "sim/profile/scratchpad_uses.h"
#include "sim/profile/token_links.h"

namespace vantage::sim {

using isa::Stage;

namespace {

constexpr int kProcess = 1;
// Threads are numbered in the order of the tracks; that of instructions without an engine comes last.
constexpr size_t kNoEngine = kAllEngines.size();

std::string assembly(const isa::Insn& insn) {
  std::string text = disassemble(insn);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// "load.inp", "gemm", "alu.add"; there is but one kind of store.
std::string kind(const isa::Insn& insn, std::string_view assembly) {
  return isa::stage(insn) == Stage::kStore ? "store" : std::string(assembly.substr(0, assembly.find(' ')));
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

void Timeline::add(const RecordedRun& run) {
  VANTAGE_CHECK(run.result.cycles);
  add_instructions(run);
  add_tokens(run);
  add_fills(run);
  add_bus(run.bursts);
  origin_ += run.result.cycles->count();
}

void Timeline::add_instructions(const RecordedRun& run) {
  std::map<uint32_t, const EngineWork*> worked;
  for (const EngineWork& work : run.work) worked[work.insn] = &work;
  for (const RetireRecord& record : run.result.retired) {
    const isa::Insn& insn = run.insns[record.insn];
    const std::string text = assembly(insn);
    const auto found = worked.find(record.insn);
    const EngineWork* work = found == worked.end() ? nullptr : found->second;
    const uint64_t began = (work != nullptr ? work->first : record.start).count();
    const uint64_t ended = (work != nullptr ? work->last : record.end).count();
    const std::string extent =
        work == nullptr ? R"("ph":"i","s":"t")"
                        : fmt::format(R"("ph":"X","dur":{})", static_cast<double>(ended + 1 - began) / clock_mhz_);
    append(fmt::format(R"({{{},"pid":{},"tid":{},"ts":{},"cat":"{}","name":"{}","args":{{"insn":{},"assembly":{},)"
                       R"("dispatched":{},"issued":{},"began":{},"ended":{},"retired":{}}}}})",
                       extent, kProcess, 1 + (work != nullptr ? static_cast<size_t>(work->engine) : kNoEngine),
                       microseconds(began), name(record.stage), kind(insn, text), record.insn, Json(text).dump(),
                       record.issue.count(), record.start.count(), began, ended, record.end.count()));
  }
}

// A flow is tied to the slices that lie where it begins and ends.
void Timeline::add_tokens(const RecordedRun& run) {
  std::vector<const EngineWork*> worked(run.insns.size());
  for (const EngineWork& work : run.work) worked[work.insn] = &work;
  for (const TokenLink& link : token_links(run)) {
    const EngineWork *from = worked[link.from], *to = worked[link.to];
    if (from == nullptr || to == nullptr) continue;
    const auto event = [&](std::string_view phase, const EngineWork& work, Cycles at) {
      append(fmt::format(R"({{{},"id":{},"pid":{},"tid":{},"ts":{},"cat":"token","name":"{}"}})", phase, tokens_,
                         kProcess, 1 + static_cast<size_t>(work.engine), microseconds(at.count()), name(link.queue)));
    };
    event(R"("ph":"s")", *from, from->last);
    event(R"("ph":"f","bp":"e")", *to, to->first);
    ++tokens_;
  }
}

void Timeline::add_fills(const RecordedRun& run) {
  for (const auto& [count, changes] : fills(run)) add_changes(count, changes);
  for (const auto& [memory, changes] : occupied_entries(run)) {
    add_changes(fmt::format("{} entries held", name(memory)), changes);
  }
}

void Timeline::add_changes(const std::string& name, const Changes& changes) {
  int64_t fill = 0;
  add_counter(name, 0, 0);
  for (const auto& [cycle, by] : changes) {
    if (by == 0) continue;
    fill += by;
    add_counter(name, cycle, static_cast<double>(fill));
  }
}

// A burst carries its bytes evenly from its first beat to its last. Machines that know of none have no such track.
void Timeline::add_bus(std::span<const BusBurst> bursts) {
  if (bursts.empty()) return;
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
  for (size_t track = 0; track <= kNoEngine; ++track) {
    const std::string_view label = track == kNoEngine ? "no engine" : name(kAllEngines[track]);
    text += fmt::format(
        ",\n"
        R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}"}}}})",
        kProcess, track + 1, label);
    text += fmt::format(
        ",\n"
        R"({{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})",
        kProcess, track + 1, track + 1);
  }
  if (!events_.empty()) text += ',';
  text += events_;
  text += "\n]}\n";
  return text;
}

}  // namespace vantage::sim
