// A stage's instructions from dispatch to issue: at most timing::kQueueDepth wait, in the queue or in the stage's
// slots.
#pragma once

#include <deque>

#include "base/error.h"
#include "hw/isa/insn.h"
#include "sim/systemc/clock.h"

namespace vantage::systemc {

struct Command {
  uint32_t index = 0;  // of the instruction in the program
  isa::Insn insn;
  Cycle dispatched;
};

class CommandQueue : public sc_core::sc_module {
 public:
  CommandQueue(sc_core::sc_module_name name, Clock& clock)
      : sc_module(name), clock_(clock), arrived_("arrived"), room_("room") {}

  bool has_room() const { return waiting_ < timing::kQueueDepth; }
  // Commands may be pushed ahead of time; they leave in their time. REQUIRES: has_room()
  void push(Command command) {
    VANTAGE_CHECK(has_room());
    ++waiting_;
    if (commands_.empty()) clock_.notify(arrived_, timing::leaves_queue(command.dispatched));
    commands_.push_back(std::move(command));
  }
  // Notified in the cycle in which the first command of an empty queue can leave it.
  const sc_core::sc_event& arrived() const { return arrived_; }

  bool empty() const { return commands_.empty(); }
  const Command& front() const { return commands_.front(); }
  Command pop() {
    Command command = std::move(commands_.front());
    commands_.pop_front();
    return command;
  }

  // The stage issues a command that it took, in this cycle.
  void issued() {
    if (waiting_-- == timing::kQueueDepth) room_.notify(sc_core::SC_ZERO_TIME);
  }
  // Notified in the cycle in which a full queue gets room for the next.
  const sc_core::sc_event& room() const { return room_; }

  void restart() {
    arrived_.cancel();
    room_.cancel();
    commands_.clear();
    waiting_ = 0;
  }

 private:
  Clock& clock_;
  sc_core::sc_event arrived_, room_;
  std::deque<Command> commands_;
  size_t waiting_ = 0;
};

}  // namespace vantage::systemc
