// A block of threads for each row: formulas together with the folds of the same rows that they read, as of softmax.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// A formula that reads results of long reductions of its own rows, with these reductions and with what else they need:
// one kernel, in which a block of threads does a row, as of softmax. False, and nothing done: it is no such formula.
bool schedule_rows(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture);

// The same with short reductions, where a thread does a row: as of a softmax over channels.
bool schedule_short_rows(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture);

}  // namespace vantage::ops
