#include "sim/systemc/run_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/isa/disassemble.h"
#include "sim/profile/scratchpad_uses.h"

namespace vantage::systemc {

using namespace isa;
using sim::RunStatus;

void RunControl::fail(FailureCause cause, Cycle at, RunStatus status, std::string message) {
  if (failure_ && (failure_->at < at || (failure_->at == at && failure_->cause <= cause))) return;
  failure_ = {cause, at};
  failed_event_.notify(sc_core::SC_ZERO_TIME);
  result_.status = status;
  result_.message = std::move(message);
}

void RunControl::refuse(FailureCause cause, Cycle at, const Command& command, const std::string& reason) {
  fail(cause, at, RunStatus::kRefused,
       fmt::format("instruction {}: {}: {}", command.index, disassemble(command.insn), reason));
}

void RunControl::dispatched(const Command& command) {
  ++dispatched_;
  if (std::holds_alternative<Finish>(command.insn)) finish_dispatched_ = command.dispatched;
  if (context_->record) insns_.push_back(command.insn);
}

bool RunControl::execute(const Command& command, Cycle at) {
  const uint64_t more = isa::steps(command.insn);
  if (more > context_->options.max_steps - steps_) {
    fail(FailureCause::kStepLimit, at, RunStatus::kStepLimit,
         fmt::format("instruction {}: {}: the run would exceed its limit of {} steps", command.index,
                     disassemble(command.insn), context_->options.max_steps));
    return false;
  }
  steps_ += more;
  if (context_->record) sim::append_uses(uses_, command.index, command.insn, context_->executor.micro_ops());
  if (context_->executor.perform(command.insn, context_->options.stop)) return true;
  fail(FailureCause::kStopped, at, RunStatus::kStopped,
       fmt::format("instruction {}: {}: the run was stopped", command.index, disassemble(command.insn)));
  return false;
}

void RunControl::record_busy(isa::Stage stage, const Progression& cycles) {
  const Cycles first(cycles.first.number());
  if (!busy_.empty()) {  // the store stage tells of every beat alone
    sim::StageBusy& before = busy_.back();
    const bool goes_on = before.stage == stage && before.first + Cycles(before.step * before.count) == first;
    if (goes_on && before.step == 1 && cycles.step == 1) {
      before.count += cycles.count;
      return;
    }
  }
  busy_.push_back({stage, first, cycles.step, cycles.count});
}

void RunControl::retired(const Command& command, Cycle issued, Cycle ended) {
  ++retired_;
  if (std::holds_alternative<Finish>(command.insn)) finish_retired_ = true;
  if (complete()) sc_core::sc_pause();
  const sim::RunOptions& options = context_->options;
  if (options.progress) options.progress(retired_, dispatched_);
  if (options.record_retirement) {
    result_.retired.push_back({command.index, stage(command.insn), Cycles(command.dispatched.number()),
                               Cycles(issued.number()), Cycles(ended.number())});
  }
}

sim::RunResult RunControl::take_result() {
  result_.counters = context_->executor.counters();
  result_.activity = context_->executor.activity();
  // Of one cycle, in the order of the stages
  std::stable_sort(result_.retired.begin(), result_.retired.end(),
                   [](const auto& a, const auto& b) { return std::pair(a.end, a.stage) < std::pair(b.end, b.stage); });
  return std::move(result_);
}

}  // namespace vantage::systemc
