// How long a program takes on a design, exactly.
//
// Thread safety: functions without state.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/json_fwd.h"
#include "compiler/ops/vta_task.h"
#include "explore/design.h"
#include "hw/core/activity.h"
#include "hw/isa/counters.h"

namespace vantage::explore {

// The machine failed, and not the program: another one may do, or the same one later.
class MachineError : public Error {
 public:
  using Error::Error;
};

// It is out of reach: nothing runs there.
class LostMachine : public MachineError {
 public:
  using MachineError::MachineError;
};

// It does not take such a design, or no more work: another machine may.
class RefusedByMachine : public MachineError {
 public:
  using MachineError::MachineError;
};

class KnownPrograms;  // known_programs.h

struct EvaluateOptions {
  std::string target = "systemc:";  // a machine with time
  ops::SearchEffort effort = ops::SearchEffort::kQuick;
  // What was found out for designs that differ in scratchpads alone, and is found out now; null: nothing. Of mappings
  // that take as long it may make the search take another one. It is of one target.
  KnownPrograms* known = nullptr;
};

struct Evaluation {
  uint64_t cycles = 0;
  uint64_t bound = 0;  // that no schedule of it takes fewer than
  std::string binds;   // what says so
  uint64_t instructions = 0;
  isa::Counters counters;
  core::Activity activity = {};  // which energy is computed of (hw/energy)
  ops::ScratchpadNeeds needs = {};
};

// Calls `take` with the name and the value of everything that is counted, in the order of columns.
template <typename Counted, typename Take>
void each_count(Counted& evaluation, const Take& take) {
  for (const isa::CounterInfo& info : isa::kCounters) take(info.name, evaluation.counters.*info.value);
  for (const core::ActivityInfo& info : core::kActivity) take(info.name, evaluation.activity.*info.value);
}

// The names of what a program needs, in JSON and in the database.
struct Need {
  const char* name;
  int ops::ScratchpadNeeds::*value;
};
inline constexpr std::array kNeeds = {
    Need{"needs_log_uop", &ops::ScratchpadNeeds::uop}, Need{"needs_log_inp", &ops::ScratchpadNeeds::inp},
    Need{"needs_log_wgt", &ops::ScratchpadNeeds::wgt}, Need{"needs_log_acc", &ops::ScratchpadNeeds::acc}};

// Searches for the task's program, compiles it and runs it. Operands are zeros: no machine's time depends on them.
// Throws Error when there is no program that fits, and MachineError for what the machine throws.
Evaluation evaluate(const ops::VtaTask& task, const Design& design, const EvaluateOptions& options = {});

// As an object of JSON, for other processes.
Json to_json(const Evaluation& evaluation);
Evaluation parse_evaluation(const Json& json, const std::string& source);

}  // namespace vantage::explore
