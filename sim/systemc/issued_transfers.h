// The transfers of a stage that are issued and have not retired. They end in order, each in a cycle that is known some
// time before.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "sim/systemc/command_queue.h"

namespace vantage::systemc {

class IssuedTransfers {
 public:
  struct Life {
    Command command;
    Cycle issued;
    Cycle ends = kNever;
  };

  // `next_ends`: notified in the cycle in which the oldest transfer ends.
  IssuedTransfers(Clock& clock, sc_core::sc_event& next_ends) : clock_(clock), next_ends_(next_ends) {}

  void restart() {
    next_ends_.cancel();
    lives_.clear();
  }

  bool empty() const { return lives_.empty(); }
  size_t size() const { return lives_.size(); }

  void push(Command command, Cycle issued) { lives_.push_back({std::move(command), issued}); }

  // The one that was pushed last. REQUIRES: there is one
  const Command& newest() const { return lives_.back().command; }

  // The oldest transfer whose end is not known ends in cycle `at`, or will. Returns it. REQUIRES: there is one
  const Command& set_end(Cycle at) {
    const auto life = std::find_if(lives_.begin(), lives_.end(), [](const Life& l) { return l.ends == kNever; });
    VANTAGE_CHECK(life != lives_.end());
    life->ends = at;
    if (life == lives_.begin()) clock_.notify(next_ends_, at);
    return life->command;
  }

  // Takes the oldest, which ends in this cycle.
  Life retire() {
    Life life = std::move(lives_.front());
    lives_.pop_front();
    if (!lives_.empty() && lives_.front().ends != kNever) clock_.notify(next_ends_, lives_.front().ends);
    return life;
  }

 private:
  Clock& clock_;
  sc_core::sc_event& next_ends_;
  std::deque<Life> lives_;
};

}  // namespace vantage::systemc
