// How many cycles a stage is busy when engines hold instructions for intervals and a DMA writes in single cycles: each
// cycle counts once.
#pragma once

#include <deque>

#include "hw/memory/progression.h"
#include "sim/systemc/clock.h"

namespace vantage::systemc {

class BusyMeter {
 public:
  // An engine is busy in (issued, ended]. REQUIRES: in the order of issue, in cycle `issued`.
  void holds(Cycle issued, Cycle ended) {
    settle(issued + 1);
    if (!any_ || issued > end_) begin_ = issued, end_ = issued;
    any_ = true;
    if (ended > end_) {
      cycles_ += ended - end_;
      end_ = ended;
    }
  }

  // REQUIRES: known before these cycles, and in their order.
  void writes(const Progression& writes) { writes_.push_back(writes); }

  // Counts writes before cycle `end`, before which every hold is known.
  void settle(Cycle end) {
    while (!writes_.empty()) {
      Progression& next = writes_.front();
      const uint64_t passed = next.before(end);
      if (passed == 0) return;
      // Of those, the ones in the interval are counted already
      const uint64_t held = any_ ? next.before(std::min(end, end_ + 1)) - next.before(std::min(end, begin_ + 1)) : 0;
      cycles_ += passed - held;
      next.first = next.at(passed);
      next.count -= passed;
      if (next.count != 0) return;
      writes_.pop_front();
    }
  }

  // Before cycle `end`. REQUIRES: all is settled, and engines hold nothing that was issued later.
  uint64_t cycles(Cycle end) const { return cycles_ - (any_ && end_ >= end ? end_ + 1 - end : 0); }

 private:
  uint64_t cycles_ = 0;
  std::deque<Progression> writes_;
  // The latest interval, of engines that overlap or follow each other
  bool any_ = false;
  Cycle begin_, end_;
};

}  // namespace vantage::systemc
