// Virtual threads: operations of several threads as one sequence.
#pragma once

#include <vector>

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// What a thread does until another one may go on.
using Turn = std::vector<Operation>;
using ThreadTurns = std::vector<Turn>;

// Throws Error when a thread writes an element of a scratchpad that another one uses: then their order would matter.
void check_apart(const std::vector<ThreadTurns>& threads);

// What the threads do before they multiply anything, taken out of their first turns: loads of accumulators, which take
// long, then what sums start from. Of the other threads than the first the latter is left where it is, unless there is
// time for it while the first one's operands are loaded. Loads of operands stay. `beat`: bytes of the bus.
std::vector<Operation> beginnings(std::vector<ThreadTurns>& threads, uint64_t beat);

// The operations of all threads, turn by turn: first the first turn of each, then the second. In each round, turns that
// only load come first: what computes would hold them up, but is not held up by them. Their beginnings come first of
// all. REQUIRES: the threads are apart.
std::vector<Operation> interleaved(std::vector<ThreadTurns> threads, uint64_t beat);

}  // namespace vantage::vta
