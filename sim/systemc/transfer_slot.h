// Where the head of the load or of the store stage's queue is checked and waits to be issued.
#pragma once

#include <optional>

#include "sim/systemc/run_control.h"

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
      const isa::Illegal illegal = control_.context().executor.refuse(command_->insn);
      legal_ = !illegal;
      if (illegal) control_.refuse(cause_, now, *command_, *illegal);
    }
    return legal_;
  }

  // It is issued.
  Command take(Cycle now) {
    Command command = std::move(*command_);
    command_.reset();
    free_from_ = now;
    queue_.issued();
    return command;
  }

  // What waits, for reports.
  const Command* waiting() const { return command_ ? &*command_ : nullptr; }

 private:
  CommandQueue& queue_;
  RunControl& control_;
  FailureCause cause_;
  std::optional<Command> command_;
  Cycle ready_ = 0;
  Cycle free_from_ = 0;
  bool checked_ = false, legal_ = false;
};

}  // namespace vantage::systemc
