// A block of threads for each result: long reductions, alone and together with what is computed of the same rows.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Whether threads that each make a result would be too few, or would read far apart from each other.
bool is_long_fold(schedule::Schedule& s, const std::string& block);

// A reduction whose results are folded by a block of threads each: every thread a part of it, then fewer and fewer of
// them what the others have left in shared memory. A reduction to a single result becomes a tree of several kernels.
// Throws Error for a block that it cannot schedule so.
void schedule_fold(schedule::Schedule& s, const std::string& block);

// A formula that reads results of long reductions of its own rows, with these reductions and with what else they need:
// one kernel, in which a block of threads does a row, as of softmax. False, and nothing done: it is no such formula.
bool schedule_rows(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture);

// The same with short reductions, where a thread does a row: as of a softmax over channels.
bool schedule_short_rows(schedule::Schedule& s, const std::string& block, const cuda::Architecture& architecture);

}  // namespace vantage::ops
