// Where the head of the load or of the store stage's queue is checked and waits to be issued.
#pragma once

#include <optional>

#include "sim/systemc/run_control.h"
#include "sim/systemc/stage_meter.h"
#include "sim/systemc/token_queue.h"

namespace vantage::systemc {

class TransferSlot {
 public:
  TransferSlot(CommandQueue& queue, RunControl& control, FailureCause cause)
      : queue_(queue), control_(control), cause_(cause) {}

  void restart() {
    command_.reset();
    free_from_ = 0;
  }

  // Takes the queue's next command when the slot is free and there is one: whether it holds one now.
  bool fill() {
    if (!command_ && !queue_.empty()) {
      command_ = queue_.pop();
      ready_ = rules::transfer_ready(std::max(rules::leaves_queue(command_->dispatched), free_from_));
      checked_ = false;
    }
    return command_.has_value();
  }

  const Command& command() const { return *command_; }
  // When it can be issued, as far as the slot is concerned.
  Cycle ready() const { return ready_; }

  // Whether docs/isa.md allows it; otherwise the run fails. REQUIRES: it is ready.
  bool is_legal(Cycle now) {
    if (!checked_) {
      checked_ = true;
      illegal_ = control_.context().executor.refuse(command_->insn);
      if (illegal_) control_.refuse(cause_, now, *command_, *illegal_);
    }
    return !illegal_;
  }

  // It is issued.
  Command take(Cycle now) {
    Command command = std::move(*command_);
    command_.reset();
    free_from_ = now;
    queue_.issued();
    return command;
  }

  // Once nothing happens any more: what waits, if anything, and when it could have been issued.
  const Command* waiting() const { return command_ ? &*command_ : nullptr; }
  Cycle waits_from() const { return command_ ? ready_ : 0; }

  // Counts the wait of what waits for a token from `tokens`, in a run that failed after so many cycles.
  void count_wait(StageMeter& meter, const TokenQueue& tokens, bool isa::Deps::*pops, Cycle cycles) const {
    if (!command_ || command_->dispatched > control_.failed_at() || ready_ >= cycles) return;
    if (!(isa::deps(command_->insn).*pops) || control_.context().executor.refuse(command_->insn)) return;
    meter.waited_for_tokens(ready_, std::min(cycles, tokens.available_from()));
  }

 private:
  CommandQueue& queue_;
  RunControl& control_;
  FailureCause cause_;
  std::optional<Command> command_;
  Cycle ready_ = 0;
  Cycle free_from_ = 0;
  bool checked_ = false;
  isa::Illegal illegal_;
};

}  // namespace vantage::systemc
