// The interface that all machines share: run a program that lies in memory, say what happened.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "hw/core/activity.h"
#include "hw/isa/config.h"
#include "hw/isa/counters.h"
#include "hw/isa/insn.h"
#include "sim/memory/dram.h"

namespace vantage::sim {

// Where a program's encoded instructions lie.
struct ProgramImage {
  Bytes insn_address;
  uint64_t insn_count = 0;
  bool operator==(const ProgramImage&) const = default;
};

// The program's bytes. Throws Error when they do not lie in memory, or begin at no multiple of an instruction's size.
std::span<const std::byte> image_bytes(const Dram& dram, const ProgramImage& image);

struct RunOptions {
  // Gives up after so many GEMM and ALU steps: a legal program may loop for years.
  uint64_t max_steps = UINT64_MAX;
  // Ends a run that takes more cycles, 1 at least. Machines without time end one whose GEMM or ALU alone would.
  // Hardware counts to UINT32_MAX, so that more is no limit there.
  uint64_t max_cycles = UINT64_MAX;
  // Machines without time choose among the stages that may go: in program order, or at random from this seed. Every
  // choice gives the same result for a program whose tokens order its conflicting accesses.
  std::optional<uint64_t> interleaving_seed;
  // Called, if given, after each instruction with how many of how many have retired.
  std::function<void(uint64_t retired, uint64_t total)> progress;
  // Ends the run once it is requested, from any thread, also in the middle of an instruction that takes long.
  std::stop_token stop;
  // Fill RunResult::retired; costs memory for every instruction.
  bool record_retirement = false;
};

enum class RunStatus : uint8_t {
  kDone,       // FINISH retired, and everything before it
  kRefused,    // an instruction that docs/isa.md refuses
  kDeadlock,   // token waits that can never be met
  kStepLimit,  // RunOptions::max_steps reached
  kStopped,    // RunOptions::stop requested
  kTimedOut,   // RunOptions::max_cycles reached; a board that did not end in the time that its description gives
};
inline constexpr std::array kAllRunStatuses = {RunStatus::kDone,      RunStatus::kRefused, RunStatus::kDeadlock,
                                               RunStatus::kStepLimit, RunStatus::kStopped, RunStatus::kTimedOut};
std::string_view name(RunStatus status);  // "done", "refused", "deadlock", "step limit", "stopped", "timed out"

// One instruction's life. Times are cycles from the start of the run; machines without time leave them zero.
struct RetireRecord {
  uint32_t insn;
  isa::Stage stage;
  Cycles issue, start, end;
};

// One stage's cycles, on machines that have time.
struct StageCycles {
  Cycles busy, token_wait, memory_wait, idle;
};

struct RunResult {
  RunStatus status = RunStatus::kDone;
  std::string message;                // empty when done: the instruction, the value, the reason
  std::vector<std::string> warnings;  // tokens left over, ...
  isa::Counters counters;             // of what really ran, failed or not
  // Of the instructions that came to their end, from machines that know: those that simulate this core. Of a run that
  // fails the RTL also counts what others had done by then.
  std::optional<core::Activity> activity;
  std::optional<Cycles> cycles;       // timed machines only, as is:
  std::optional<Cycles> host_cycles;  // of the accelerator's clock, that its host needs before a run; not in `cycles`
  std::optional<double> clock_mhz;    // that its cycles are of, from a board that says so
  std::optional<double> seconds;      // of a processor's function, as a clock where it ran saw it
  std::vector<StageCycles> stages;    // by isa::Stage
  std::optional<Cycles> failed_at;    // the cycle of a failure, where the machine knows it
  std::vector<RetireRecord> retired;  // in order of retirement, when asked for

  bool ok() const { return status == RunStatus::kDone; }
};

// The clock that a run's cycles are of: the machine's own where it has one, else the configuration's CLOCK_MHZ.
double clock_mhz(const isa::Config& config, const RunResult& result);

// What is said of a run that reached RunOptions::max_cycles.
std::string timed_out_message(const RunOptions& options);

// Why a run is not ok, in one line: "deadlock in cycle 120: ...". REQUIRES: !result.ok()
std::string failure(const RunResult& result);

// Adds a run that followed: counters, cycles, stages, warnings. REQUIRES: both succeeded, on machines of one kind.
RunResult& operator+=(RunResult& total, const RunResult& next);

class Machine {
 public:
  virtual ~Machine() = default;

  virtual const isa::Config& config() const = 0;

  // Runs the program to its FINISH. Token queues start empty; scratchpads are as the last run left them. A program
  // that fails leaves memory as its completed instructions left it, and the machine ready for the next one.
  // After kStepLimit, kStopped and kTimedOut scratchpads hold anything. Throws Error like image_bytes.
  virtual RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) = 0;

  // Ends what the machine was told to record of its runs (waves), and puts it in place; runs after that are not
  // recorded. Without this call there is no such file. Throws Error when it could not be written.
  virtual void finish_trace() {}

  // Zeros every scratchpad, as on a device just opened.
  virtual void reset() = 0;

  // The micro-op scratchpad, depth(kUop) entries: what a verifier must know of the last run.
  virtual std::vector<isa::MicroOp> micro_ops() const = 0;
};

}  // namespace vantage::sim
