// How much code unrolled loops become.
#pragma once

#include <string>

#include "compiler/ir/stmt.h"

namespace vantage::ir {

// The most statements that unrolled loops inside one another may be written out as: the product of their numbers of
// iterations, times the statements inside. A register tile of a matrix product needs about a hundred, and code beyond a
// thousand no longer fits the caches of instructions and micro-ops that unrolling is meant to serve. Compilers take
// more than linear time for it: LLVM took 77 s for a loop written out 4096 times.
inline constexpr int64_t kMostUnrolled = 1024;

// "" when no unrolled loop in `stmt` becomes more; else which loops do, how much, and what to do about it. Loops whose
// number of iterations is not constant stay loops.
std::string unrolled_too_far(const Stmt& stmt);

}  // namespace vantage::ir
