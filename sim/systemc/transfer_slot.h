// The slot of the load and of the store stage: the head of the stage's queue comes here to be checked, and waits here
// until it is issued. The next instruction leaves the queue in the cycle of that issue. Cycles are those of the run.
//
// Thread safety: none, as of everything that lives in SystemC's kernel.
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
    free_from_ = Cycle();
  }

  // Takes the queue's next command when the slot is free and there is one. Returns whether the slot holds a command
  // now.
  bool fill() {
    if (!command_ && !queue_.empty()) {
      command_ = queue_.pop();
      ready_ = timing::transfer_ready(std::max(timing::leaves_queue(command_->dispatched), free_from_));
      checked_ = false;
    }
    return command_.has_value();
  }

  // The command that the slot holds. REQUIRES: fill()
  const Command& command() const { return *command_; }
  // The first cycle in which its check is over, so that it can be issued as far as the slot is concerned.
  Cycle ready() const { return ready_; }

  // Returns whether docs/isa.md allows the command; if not, the run fails in cycle `now` for that reason.
  // REQUIRES: ready() <= now
  bool is_legal(Cycle now) {
    if (!checked_) {
      checked_ = true;
      illegal_ = control_.context().executor.refuse(command_->insn);
      if (illegal_) control_.refuse(cause_, now, *command_, *illegal_);
    }
    return !illegal_;
  }

  // The stage issues the command in cycle `now`: it leaves the slot and no longer counts as waiting.
  Command take(Cycle now) {
    Command command = std::move(*command_);
    command_.reset();
    free_from_ = now;
    queue_.issued();
    return command;
  }

  // For the end of a run, when nothing happens any more: the command that still waits, null if there is none; and the
  // first cycle in which it could have been issued, 0 if there is none.
  const Command* waiting() const { return command_ ? &*command_ : nullptr; }
  Cycle waits_from() const { return command_ ? ready_ : Cycle(); }

  // For a run that failed and is over at the beginning of cycle `end`: tells the meter how long the command that still
  // waits lacked nothing but a token. `pops` is the dependence by which it takes tokens from `tokens`.
  void count_wait(StageMeter& meter, const TokenQueue& tokens, bool isa::Deps::*pops, Cycle end) const {
    if (!command_ || command_->dispatched > control_.failed_at() || ready_ >= end) return;
    if (!(isa::deps(command_->insn).*pops) || control_.context().executor.refuse(command_->insn)) return;
    meter.waited_for_tokens(ready_, std::min(end, tokens.available_from()));
  }

 private:
  CommandQueue& queue_;
  RunControl& control_;
  FailureCause cause_;
  std::optional<Command> command_;
  Cycle ready_;
  Cycle free_from_;
  bool checked_ = false;
  isa::Illegal illegal_;
};

}  // namespace vantage::systemc
