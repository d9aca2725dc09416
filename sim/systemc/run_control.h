// The course of a run: what was dispatched and has retired, whether it failed, what is reported of it.
#pragma once

#include <optional>
#include <string>

#include "hw/isa/codec.h"
#include "hw/memory/progression.h"
#include "sim/functional/executor.h"
#include "sim/machine.h"
#include "sim/profile/recorded_run.h"
#include "sim/systemc/command_queue.h"

namespace vantage::systemc {

// A program and what it runs on; all of it must outlive the run.
struct RunContext {
  const isa::Config& config;
  const isa::Codec& codec;
  sim::Executor& executor;
  const sim::Dram& dram;
  sim::ProgramImage image;
  const sim::RunOptions& options;
  bool record = false;  // instructions, the work of engines, and bursts
};

// What ends a run before FINISH; of several in one cycle the first in this order counts.
enum class FailureCause : uint8_t {
  kLoadStage,
  kComputeStage,
  kStoreStage,
  kDispatch,
  kNoFinish,
  kDeadlock,
  kWatchdog,
  kStepLimit,
  kStopped
};

class RunControl {
 public:
  void restart(const RunContext& context) {
    context_.emplace(context);
    result_ = {};
    failure_.reset();
    dispatched_ = retired_ = steps_ = 0;
    finish_dispatched_.reset();
    finish_retired_ = false;
    insns_.clear();
    work_.clear();
    busy_.clear();
    token_waits_.clear();
    uses_.clear();
    failed_event_.cancel();
  }

  const RunContext& context() const { return *context_; }

  // The run fails in cycle `at`: in later cycles nothing is dispatched and nothing issued.
  void fail(FailureCause cause, Cycle at, sim::RunStatus status, std::string message);
  // The same for an instruction that docs/isa.md refuses for this reason.
  void refuse(FailureCause cause, Cycle at, const Command& command, const std::string& reason);
  // Notified in the cycle of a failure.
  const sc_core::sc_event& failed_event() const { return failed_event_; }
  bool failed() const { return failure_.has_value(); }
  bool halted(Cycle now) const { return failure_ && now > failure_->at; }
  Cycle failed_at() const { return failure_ ? failure_->at : kNever; }
  // Nests under way are dropped, and only transfers end.
  bool drops() const { return failure_ && failure_->cause == FailureCause::kWatchdog; }

  void dispatched(const Command& command);
  // The cycle in which FINISH was dispatched, or will be.
  std::optional<Cycle> finish_dispatched() const { return finish_dispatched_; }

  // Executes an instruction as it is issued. False when the run's limit of steps forbids it, or
  // it was stopped: then the run has failed.
  bool execute(const Command& command, Cycle at);
  // An engine works on an instruction in these cycles, or will.
  void worked(const Command& command, sim::Engine engine, Cycle first, Cycle last) {
    if (!context_->record) return;
    work_.push_back({command.index, engine, Cycles(first.number()), Cycles(last.number())});
  }
  // A stage is busy in these cycles, or will be.
  void busy(isa::Stage stage, const Progression& cycles) {
    if (context_->record && cycles.count != 0) record_busy(stage, cycles);
  }
  // Where waits for tokens are to be recorded; null when the run is not.
  std::vector<sim::TokenWait>* recorded_token_waits() { return context_->record ? &token_waits_ : nullptr; }
  // Ends the simulation with the last instruction, whatever else SystemC still has to do.
  void retired(const Command& command, Cycle issued, Cycle ended);
  // FINISH and everything before it has retired.
  bool complete() const { return finish_retired_ && retired_ == dispatched_; }

  // The instructions that were dispatched, and what engines and stages did, when the run is recorded.
  const std::vector<isa::Insn>& insns() const { return insns_; }
  const std::vector<sim::EngineWork>& work() const { return work_; }
  const std::vector<sim::StageBusy>& busy() const { return busy_; }
  const std::vector<sim::TokenWait>& token_waits() const { return token_waits_; }
  const std::vector<sim::ScratchpadUse>& uses() const { return uses_; }

  // What there is to report but cycles and stages.
  sim::RunResult take_result();

 private:
  struct Failure {
    FailureCause cause;
    Cycle at;
  };

  void record_busy(isa::Stage stage, const Progression& cycles);

  sc_core::sc_event failed_event_{"failed"};
  std::optional<RunContext> context_;
  std::vector<isa::Insn> insns_;
  std::vector<sim::EngineWork> work_;
  std::vector<sim::StageBusy> busy_;
  std::vector<sim::TokenWait> token_waits_;
  std::vector<sim::ScratchpadUse> uses_;
  std::optional<Failure> failure_;
  uint64_t dispatched_ = 0, retired_ = 0, steps_ = 0;
  std::optional<Cycle> finish_dispatched_;
  bool finish_retired_ = false;
  sim::RunResult result_;
};

}  // namespace vantage::systemc
