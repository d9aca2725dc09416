// One stage's cycles, from intervals: docs/hardware.md, "Stage counters".
#pragma once

#include "hw/memory/progression.h"
#include "sim/profile/recorded_run.h"
#include "sim/systemc/clock.h"

namespace vantage::systemc {

class StageMeter {
 public:
  // Also writes down every wait for tokens, of this stage, where `waits` is not null.
  void record(std::vector<sim::TokenWait>* waits, isa::Stage stage) {
    waits_ = waits;
    stage_ = stage;
  }
  // An instruction was under way in (issued, ended]. REQUIRES: in the order of their ends.
  void was_under_way(Cycle issued, Cycle ended) {
    const Cycle from = any_ ? std::max(issued, ended_) : issued;
    if (ended > from) under_way_ += ended - from;
    ended_ = std::max(ended_, ended);
    any_ = true;
  }
  // The stage's next instruction lacked nothing but tokens in [ready, available), and nothing that was under way is
  // still to be reported.
  void waited_for_tokens(Cycle ready, Cycle available) {
    if (any_) ready = std::max(ready, ended_ + 1);
    if (available <= ready) return;
    token_wait_ += available - ready;
    if (waits_ != nullptr) waits_->push_back({stage_, Cycles(ready.number()), Cycles(available.number() - 1)});
  }
  void was_busy(uint64_t cycles) { busy_ += cycles; }

  // The first cycle in which nothing is under way any longer.
  Cycle free_from() const { return any_ ? ended_ + 1 : Cycle(); }

  // Of a run that took all cycles before `end`, and dropped what was still under way then.
  sim::StageCycles table(Cycle end) const {
    const uint64_t under_way = under_way_ - (any_ && ended_ >= end ? ended_ + 1 - end : 0);
    return {Cycles(busy_), Cycles(token_wait_), Cycles(under_way - busy_),
            Cycles(end.number() - under_way - token_wait_)};
  }

 private:
  uint64_t busy_ = 0, token_wait_ = 0, under_way_ = 0;
  Cycle ended_;
  bool any_ = false;
  std::vector<sim::TokenWait>* waits_ = nullptr;
  isa::Stage stage_ = isa::Stage::kLoad;
};

}  // namespace vantage::systemc
