// Virtual threads: operations of several threads as one sequence.
#pragma once

#include <vector>

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// What a thread does until another one may go on.
using Turn = std::vector<Operation>;
using ThreadTurns = std::vector<Turn>;

// The operations of all threads, turn by turn: first the first turn of each, then the second. In each round, turns that
// only load come first: what computes would hold them up, but is not held up by them. Throws Error when a thread
// writes an element of a scratchpad that another one uses: then the order would matter.
std::vector<Operation> interleaved(std::vector<ThreadTurns> threads);

}  // namespace vantage::vta
