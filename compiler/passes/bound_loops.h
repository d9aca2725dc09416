#pragma once

#include <functional>

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Conditions around the whole body of a loop become bounds of the loop where they limit its variable, and move out of
// it where they do not depend on it. Neighbours under one condition come together under it. Loops bound to threads,
// vectorized or virtual threads keep their conditions inside: their number is fixed.
//
// Expects loops and conditions without blocks, indices simplified. Leaves the same with fewer conditions, bounds that
// may depend on loops outside, and no loop of fewer than 0 iterations, on which every pass behind it counts. It stands
// behind simplify, which has decided what can be decided, and before whatever takes a loop nest as a whole: a transfer
// or an instruction has an extent, but no condition on single iterations.
ir::PrimFunc bound_loops(ir::PrimFunc function);

// The same, but for loops of which `is_fixed` says that they must have a constant number of iterations: conditions stay
// inside of these that would make it another.
ir::PrimFunc bound_loops_except(ir::PrimFunc function, const std::function<bool(const ir::For&)>& is_fixed);

}  // namespace vantage::passes
