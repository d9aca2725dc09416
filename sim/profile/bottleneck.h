// What holds a run back, in words for a person.
#pragma once

#include <string>

#include "sim/profile/summary.h"

namespace vantage::sim {

// Names the part that is busy in most cycles when that bounds the run, and otherwise what the stages wait for, with
// what would help; and what is lost to padding, where the workload is known and the loss is worth a word. `summary`
// needs its shares only. REQUIRES: result.cycles, and they are not zero.
std::string bottleneck(const Summary& summary, const RunResult& result, const Work* work);

}  // namespace vantage::sim
