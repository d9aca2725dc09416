// One thread for each element: what chains of formulas, windows and short reductions are scheduled by.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Threads of a block, when so many elements have one each: as many as leave every multiprocessor a block, if there are
// enough.
int64_t threads_for(int64_t elements);

// Binds the spatial loops of a block, all that stand around it, to blocks and threads. Elements that lie side by side
// and move with one access become a vector of one thread where there are enough of them to keep all threads busy. A
// reduction keeps its sum in a register, and what is computed element by element of its result alone is done with it.
// Throws Error for a block that it cannot schedule so.
void schedule_elements(schedule::Schedule& s, const std::string& block);

// The steps of a recurrence, all of them by the thread of an element. Where elements need those of others,
// schedule_elements() makes a kernel for each step instead.
void schedule_recurrence(schedule::Schedule& s, const std::string& block);

// Binds the loops of a block inside of `outer` loops, which stay as they are, to `threads` threads.
void bind_threads(schedule::Schedule& s, const std::string& block, size_t outer, int64_t threads);

// The sum in a thread's own memory, to be copied where it belongs by a block of its own, whose name is returned. What
// reads the result element by element moves into the copy.
std::string keep_sum_local(schedule::Schedule& s, const std::string& block);

// How many elements that lie side by side a thread can move at once, 1 where they are none. `count`: of the innermost
// loop.
int64_t lanes_of(const schedule::Schedule& s, const std::string& block, int64_t count);

}  // namespace vantage::ops
