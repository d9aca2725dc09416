// Transposes, by way of shared memory.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Whether neighbours of what a formula makes are read far apart from each other, while neighbours in memory are needed
// for elements far apart: a transpose, with whatever else is computed.
bool is_transpose(schedule::Schedule& s, const std::string& block);

// Square tiles are read as they lie in memory and turned in shared memory. Throws Error for a block that it cannot
// schedule so.
void schedule_transpose(schedule::Schedule& s, const std::string& block);

}  // namespace vantage::ops
