#include "compiler/backend/vta/timing/timeline.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <vector>

#include "base/error.h"
#include "compiler/backend/vta/timing/fetch.h"
#include "compiler/backend/vta/timing/read_dma.h"
#include "compiler/backend/vta/timing/read_port.h"
#include "compiler/backend/vta/timing/store.h"
#include "hw/core/nest_engine.h"

namespace vantage::vta {

using isa::Cycle;
using isa::Stage;
namespace timing = isa::timing;

namespace {

class Timeline {
 public:
  Timeline(std::span<const Step> steps, const isa::Config& config, const MemoryTiming& memory)
      : steps_(steps),
        port_(memory, config.bus_width()),
        fetch_(port_, config.bus_width(), steps.size()),
        load_dma_(port_, core::Requester::kLoad, beat_log(config)),
        compute_dma_(port_, core::Requester::kCompute, beat_log(config)),
        store_(memory, config.bus_width(), beat_log(config)),
        retired_(steps.size(), isa::kNever) {}

  // The cycle in which the run ends; none when that is later than `limit`.
  std::optional<uint64_t> run(uint64_t limit) {
    for (size_t i = 0; i < steps_.size(); ++i) {
      switch (steps_[i].stage) {
        case Stage::kLoad: break;  // when others need it
        case Stage::kCompute: compute(i); break;
        case Stage::kStore: store(i); break;
      }
      if (std::max(compute_retired_, store_retired_).number() > limit) return std::nullopt;
    }
    dispatch(steps_.size() - 1);
    advance_loads(steps_.size());
    return (std::max({load_retired_, compute_retired_, store_retired_}) + 1).number();
  }

 private:
  // Instructions of a stage: when they leave its queue's front, and how many have come there.
  struct Queue {
    std::array<Cycle, timing::kQueueDepth> issues{};
    size_t dispatched = 0, issued = 0;

    void issue(Cycle at) { issues[issued++ % issues.size()] = at; }
    // From when on there is room for one more; none while that is not known.
    std::optional<Cycle> room() const {
      if (dispatched < issues.size()) return Cycle();
      const size_t before = dispatched - issues.size();
      return before < issued ? std::optional(issues[before % issues.size()] + 1) : std::nullopt;
    }
  };
  struct Arrival {
    size_t number;
    Cycle dispatched;
  };

  static unsigned beat_log(const isa::Config& config) {
    return static_cast<unsigned>(std::countr_zero(config.bus_width().count()));
  }

  Queue& queue(Stage stage) { return queues_[static_cast<size_t>(stage)]; }

  // Fetch ------------------------------------------------------------------------------------------------------------

  // Dispatches all that is known to have come and has room.
  void dispatch_known() {
    while (next_ < steps_.size() && fetch_.has_insn()) {
      const Stage stage = steps_[next_].stage;
      const std::optional<Cycle> room = queue(stage).room();
      if (!room) return;
      arrivals_[static_cast<size_t>(stage)].push_back({next_++, fetch_.dispatch(*room)});
      ++queue(stage).dispatched;
    }
  }

  // Until instruction `number` has been dispatched.
  void dispatch(size_t number) {
    for (dispatch_known(); next_ <= number; dispatch_known()) {
      if (fetch_.is_asking()) {
        let_others_ask(core::Requester::kFetch);
        fetch_.ask();
      } else {
        VANTAGE_CHECK(advance_load());
      }
    }
  }

  // The oldest instruction of the stage that has not been taken: instruction `number`.
  Cycle arrival(Stage stage, size_t number) {
    dispatch(number);
    auto& arrivals = arrivals_[static_cast<size_t>(stage)];
    VANTAGE_CHECK(arrivals.front().number == number);
    const Cycle dispatched = arrivals.front().dispatched;
    arrivals.pop_front();
    return dispatched;
  }

  // Fetch and the load stage ask for the bursts that are granted before the one that `who` asks for. What the compute
  // stage will ask for is not known where it is not `who`.
  void let_others_ask(core::Requester who) {
    for (;;) {
      dispatch_known();
      const std::array from = {fetch_.is_asking() ? fetch_.next_request() : isa::kNever,
                               load_dma_.is_asking() ? load_dma_.next_request() : isa::kNever,
                               who == core::Requester::kCompute ? compute_dma_.next_request() : isa::kNever};
      const core::Requester next = port_.next(from);
      if (!load_dma_.is_asking() && !loads().empty() && loads().front().dispatched <= from[static_cast<size_t>(next)] &&
          begin_load()) {
        continue;
      }
      if (next == who) return;
      if (next == core::Requester::kLoad) {
        advance_load();
      } else {
        fetch_.ask();
      }
    }
  }

  // When the tokens that a step waits for are there.
  Cycle tokens(const Step& step) {
    Cycle from;
    for (const int64_t producer : step.after) {
      if (producer == Step::kNone) continue;
      const auto number = static_cast<size_t>(producer);
      if (retired_[number] == isa::kNever) {
        dispatch(number);
        advance_loads(number + 1);
      }
      from = std::max(from, timing::token_available(retired_[number]));
    }
    return from;
  }

  // Load stage -------------------------------------------------------------------------------------------------------

  std::deque<Arrival>& loads() { return arrivals_[static_cast<size_t>(Stage::kLoad)]; }

  // Issues the oldest load that has not been; false while its tokens' cycles are not known.
  bool begin_load() {
    const Arrival& load = loads().front();
    const Step& step = steps_[load.number];
    for (const int64_t producer : step.after) {
      if (producer != Step::kNone && retired_[static_cast<size_t>(producer)] == isa::kNever) return false;
    }
    const Cycle ready = timing::transfer_ready(std::max(timing::leaves_queue(load.dispatched), load_issued_));
    load_issued_ = std::max({ready, tokens(step), load_dma_.ready_from()});
    queue(Stage::kLoad).issue(load_issued_);
    load_dma_.issue(step.transfer, load_issued_);
    if (!load_dma_.is_asking()) end_load();
    return true;
  }

  void end_load() {
    load_retired_ = std::max(load_dma_.ends(), load_retired_ + 1);
    retired_[loads().front().number] = load_retired_;
    loads().pop_front();
  }

  // The load stage's next burst, or its next load's issue. False when it waits for what is not known.
  bool advance_load() {
    if (!load_dma_.is_asking()) return !loads().empty() && begin_load();
    load_dma_.ask();
    if (!load_dma_.is_asking()) end_load();
    return true;
  }

  // Until every load before instruction `number`, which has been dispatched, has ended.
  void advance_loads(size_t number) {
    while (!loads().empty() && loads().front().number < number) {
      if (load_dma_.is_asking()) let_others_ask(core::Requester::kLoad);
      VANTAGE_CHECK(advance_load());
    }
  }

  // Compute stage ----------------------------------------------------------------------------------------------------

  void compute(size_t number) {
    const Step& step = steps_[number];
    const Cycle dispatched = arrival(Stage::kCompute, number);
    const Cycle taken = std::max(timing::leaves_queue(dispatched), check_free_);
    check_free_ = std::max(checked(step, timing::check_begins(taken)), compute_issued_);
    const Cycle ready = timing::issued_after_check(check_free_);
    // What retires in a cycle still counts in it
    Cycle& oldest = compute_retirements_[queue(Stage::kCompute).issued % timing::kComputeInsns];
    const Cycle room = queue(Stage::kCompute).issued < timing::kComputeInsns ? Cycle() : oldest + 1;
    compute_issued_ = engine_from(step, std::max({ready, tokens(step), room}));
    queue(Stage::kCompute).issue(compute_issued_);
    compute_retired_ = std::max(run(step), compute_retired_ + 1);
    oldest = compute_retired_;
    retired_[number] = compute_retired_;
  }

  Cycle checked(const Step& step, Cycle begun) const {
    switch (step.kind) {
      case Step::Kind::kNothing: return timing::finish_checked(begun);
      case Step::Kind::kTransfer:
      case Step::Kind::kUopLoad: return timing::transfer_checked(begun);
      case Step::Kind::kGemm:
      case Step::Kind::kVector: break;
    }
    return timing::loop_checked(std::max(begun, uops_loaded_), step.uops.count());
  }

  Cycle engine_from(const Step& step, Cycle from) const {
    const unsigned halves = step.halves;
    switch (step.kind) {
      case Step::Kind::kNothing: break;
      case Step::Kind::kUopLoad:
        return std::max({from, gemm_.has_read(step.uops), vector_.has_read(step.uops), compute_dma_.ready_from()});
      case Step::Kind::kTransfer:
        return std::max({from, gemm_.frees(halves), vector_.frees(halves), compute_dma_.ready_from()});
      case Step::Kind::kGemm:
        return std::max(
            {from, gemm_.takes_next_from(), vector_.frees(halves), core::latest_of(halves, halves_loaded_)});
      case Step::Kind::kVector:
        return std::max(
            {from, vector_.takes_next_from(), gemm_.frees(halves), core::latest_of(halves, halves_loaded_)});
    }
    return from;
  }

  // Does what was issued; when it ends.
  Cycle run(const Step& step) {
    switch (step.kind) {
      case Step::Kind::kNothing: return timing::nothing_ends(compute_issued_);
      case Step::Kind::kGemm: return gemm_.run(timing::kGemm, step.nest, step.halves, step.uops, compute_issued_);
      case Step::Kind::kVector: return vector_.run(timing::kVector, step.nest, step.halves, step.uops, compute_issued_);
      case Step::Kind::kTransfer:
      case Step::Kind::kUopLoad: break;
    }
    compute_dma_.issue(step.transfer, compute_issued_);
    while (compute_dma_.is_asking()) {
      let_others_ask(core::Requester::kCompute);
      compute_dma_.ask();
    }
    const Cycle ends = compute_dma_.ends(), loaded = timing::after_load(ends);
    if (step.kind == Step::Kind::kUopLoad) uops_loaded_ = loaded;
    for (unsigned half = 0; half < 2; ++half) {
      if ((step.halves >> half) & 1) halves_loaded_[half] = loaded;
    }
    return ends;
  }

  // Store stage ------------------------------------------------------------------------------------------------------

  void store(size_t number) {
    const Step& step = steps_[number];
    const Cycle dispatched = arrival(Stage::kStore, number);
    const Cycle ready = timing::transfer_ready(std::max(timing::leaves_queue(dispatched), store_issued_));
    store_issued_ = std::max({ready, tokens(step), store_.ready_from()});
    queue(Stage::kStore).issue(store_issued_);
    store_retired_ = std::max(store_.store(step.transfer, store_issued_), store_retired_ + 1);
    retired_[number] = store_retired_;
  }

  std::span<const Step> steps_;
  ReadPort port_;
  FetchTimeline fetch_;
  DmaTimeline load_dma_, compute_dma_;
  StoreTimeline store_;

  std::vector<Cycle> retired_;  // by instruction; kNever: not known yet
  size_t next_ = 0;             // instruction to be dispatched
  std::array<Queue, 3> queues_;
  std::array<std::deque<Arrival>, 3> arrivals_;  // dispatched and not taken; of loads: not ended
  Cycle load_issued_, load_retired_, store_issued_, store_retired_;
  Cycle check_free_, compute_issued_, compute_retired_;
  std::array<Cycle, timing::kComputeInsns> compute_retirements_{};
  core::NestEngine gemm_, vector_;
  std::array<Cycle, 2> halves_loaded_{};
  Cycle uops_loaded_;
};

}  // namespace

std::optional<uint64_t> estimate_cycles(std::span<const Step> steps, const isa::Config& config,
                                        const MemoryTiming& memory, uint64_t limit) {
  return Timeline(steps, config, memory).run(limit);
}

uint64_t estimate_cycles(const Program& program, const MemoryTiming& memory) {
  return *estimate_cycles(steps_of(program), program.config, memory);
}

}  // namespace vantage::vta
