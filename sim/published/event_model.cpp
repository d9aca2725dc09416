#include "sim/published/event_model.h"

#include <algorithm>
#include <array>
#include <deque>

#include "base/error.h"
#include "base/math.h"
#include "base/stop.h"
#include "hw/isa/tokens.h"

namespace vantage::sim {

using isa::Stage;

namespace {

size_t index(Stage stage) {
  return static_cast<size_t>(stage);
}

// The tokens that have been pushed and not been popped: when.
class TokenTimes {
 public:
  // When an instruction of `stage` has what it pops; nothing while a token has not been pushed.
  std::optional<Millicycles> available(Stage stage, const isa::Deps& deps) const {
    Millicycles at;
    for (const auto& queue : popped(stage, deps)) {
      if (!queue) continue;
      const auto& times = queues_[static_cast<size_t>(*queue)];
      if (times.empty()) return std::nullopt;
      at = std::max(at, times.front());
    }
    return at;
  }
  void pop(Stage stage, const isa::Deps& deps) {
    for (const auto& queue : popped(stage, deps)) {
      if (queue) queues_[static_cast<size_t>(*queue)].pop_front();
    }
  }
  void push(Stage stage, const isa::Deps& deps, Millicycles at) {
    if (const auto queue = push_prev_queue(stage); deps.push_prev && queue) add(*queue, at);
    if (const auto queue = push_next_queue(stage); deps.push_next && queue) add(*queue, at);
  }

 private:
  static std::array<std::optional<isa::TokenQueue>, 2> popped(Stage stage, const isa::Deps& deps) {
    return {deps.pop_prev ? pop_prev_queue(stage) : std::nullopt, deps.pop_next ? pop_next_queue(stage) : std::nullopt};
  }
  void add(isa::TokenQueue queue, Millicycles at) { queues_[static_cast<size_t>(queue)].push_back(at); }

  std::array<std::deque<Millicycles>, isa::kAllTokenQueues.size()> queues_;
};

// A stage on its way through its instructions.
struct Progress {
  std::vector<uint32_t> insns;
  size_t next = 0;
  Millicycles free, busy, under_way, token_wait;
};

}  // namespace

EventModel::EventModel(const isa::Config& config, const PublishedTiming& timing) : config_(config), timing_(timing) {
  timing.require(config);
  if (timing.cache) cache_.emplace(*timing.cache);
}

void EventModel::clear_cache() {
  if (cache_) cache_->clear();
}

uint64_t EventModel::row_beats(const isa::Transfer& t) const {
  return ceil_div(t.x_size * config_.element_size(t.memory).count(), config_.bus_width().count());
}

uint64_t EventModel::missed_beats(const isa::Transfer& t) {
  if (!cache_) return 0;
  const Bytes element = config_.element_size(t.memory);
  Bytes missed;
  for (uint64_t y = 0; y < t.y_size; ++y) {
    missed += cache_->missed(element * (t.dram_base + y * t.x_stride), element * t.x_size);
  }
  return ceil_div(missed.count(), config_.bus_width().count());
}

EventModel::Cost EventModel::load_cost(const isa::Transfer& t) {
  if (t.moves_nothing()) return {};
  // Micro-ops come in one request, and nothing pads them.
  if (t.memory == isa::Memory::kUop) {
    const Millicycles moved = timing_.uop * t.x_size;
    return {moved, timing_.load_row + moved};
  }
  const uint64_t beats = t.y_size * row_beats(t);
  const Millicycles zeros = timing_.zero * (t.padded_rows() * t.padded_row() - uint64_t{t.y_size} * t.x_size);
  const Millicycles beat = t.memory == isa::Memory::kInp   ? timing_.inp_beat
                           : t.memory == isa::Memory::kWgt ? timing_.wgt_beat
                                                           : timing_.acc_beat;
  Millicycles all = timing_.load_row * t.y_size + beat * beats + zeros;
  // The rate of weights was fitted on weights that are not in the cache, which pass through it like others.
  const uint64_t missed = missed_beats(t);
  if (cache_ && t.memory != isa::Memory::kWgt) all += timing_.cache->missed_beat * missed;
  return {std::min(Millicycles(1000 * beats) + zeros, all), all};
}

EventModel::Cost EventModel::store_cost(const isa::Transfer& t) {
  if (t.moves_nothing()) return {};
  missed_beats(t);  // written lines are there for later loads
  const uint64_t beats = t.y_size * row_beats(t);
  const Millicycles all = timing_.store_row * t.y_size + timing_.out_beat * beats;
  return {std::min(Millicycles(1000 * beats), all), all};
}

EventModel::Cost EventModel::cost(const isa::Insn& insn) {
  if (const auto* load = std::get_if<isa::Load>(&insn)) return load_cost(load->transfer);
  if (const auto* store = std::get_if<isa::Store>(&insn)) return store_cost(store->transfer);
  const bool is_alu = std::holds_alternative<isa::Alu>(insn);
  const Millicycles all = (is_alu ? timing_.alu_step : timing_.gemm_step) * isa::steps(insn);
  return {all, all};
}

EventModel::Times EventModel::run(std::span<const isa::Insn> insns,
                                  const std::array<size_t, isa::kAllStages.size()>& retired,
                                  const std::stop_token& stop) {
  std::array<Progress, isa::kAllStages.size()> stages;
  for (size_t i = 0; i < insns.size(); ++i) {
    Progress& stage = stages[index(isa::stage(insns[i]))];
    if (stage.insns.size() < retired[index(isa::stage(insns[i]))]) stage.insns.push_back(static_cast<uint32_t>(i));
  }
  TokenTimes tokens;
  Times times;
  const auto start_of = [&](Stage s) -> std::optional<Millicycles> {
    const Progress& stage = stages[index(s)];
    if (stage.next == stage.insns.size()) return std::nullopt;
    const auto available = tokens.available(s, isa::deps(insns[stage.insns[stage.next]]));
    if (!available) return std::nullopt;
    return std::max(stage.free, *available);
  };
  // In the order in which they begin, which is that of their accesses to the cache.
  for (;;) {
    require_going_on(stop);
    std::optional<Stage> first;
    for (Stage s : isa::kAllStages) {
      const auto start = start_of(s);
      if (start && (!first || *start < *start_of(*first))) first = s;
    }
    if (!first) break;
    Progress& stage = stages[index(*first)];
    const uint32_t number = stage.insns[stage.next++];
    const isa::Insn& insn = insns[number];
    const Millicycles start = std::max(stage.free, *tokens.available(*first, isa::deps(insn)));
    const Cost cost = this->cost(insn);
    const Millicycles end = start + cost.all;
    if (end < start) fail("{}: the program takes longer than can be counted", timing_.where);
    tokens.pop(*first, isa::deps(insn));
    tokens.push(*first, isa::deps(insn), end);
    stage.token_wait += start - stage.free;
    stage.busy += cost.busy;
    stage.under_way += cost.all;
    stage.free = end;
    times.end = std::max(times.end, end);
    // Nothing is known of its way to the stage, and it retires in the last of its cycles.
    const Cycles begun = whole(start), ended = whole(end);
    times.retired.push_back({number, *first, begun, begun, ended > begun ? ended - Cycles(1) : begun});
  }
  std::stable_sort(times.retired.begin(), times.retired.end(),
                   [](const RetireRecord& a, const RetireRecord& b) { return a.end < b.end; });
  for (const Progress& stage : stages) {
    VANTAGE_CHECK(stage.next == stage.insns.size());
    // Rounded so that the four make up the run.
    StageCycles table{whole(stage.busy), whole(stage.token_wait), {}, {}};
    const Cycles until = whole(stage.busy + stage.token_wait);
    table.token_wait = until - table.busy;
    table.memory_wait = whole(stage.under_way + stage.token_wait) - until;
    table.idle = whole(times.end) - until - table.memory_wait;
    times.stages.push_back(table);
  }
  return times;
}

}  // namespace vantage::sim
