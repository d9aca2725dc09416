// A block of threads for one result or for some that lie side by side: long reductions, and products that read a matrix
// once.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Whether threads that each make a result would be too few, or would read far apart from each other.
bool is_long_fold(schedule::Schedule& s, const std::string& block);
// Whether threads that each make a result would read neighbours of each other, but be too few.
bool is_fold_of_columns(schedule::Schedule& s, const std::string& block);

// A reduction whose results are folded by a block of threads each: every thread a part of it, then fewer and fewer of
// them what the others have left in shared memory. Where neighbours in memory go into results that are neighbours, a
// block makes some of these; and where an element goes into a few results, they are made together, so that it is read
// once. A reduction to a single result becomes a tree of several kernels. Throws Error for a block that it cannot
// schedule so.
void schedule_fold(schedule::Schedule& s, const std::string& block);

}  // namespace vantage::ops
