#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Simpler index expressions; conditions that always or never hold are decided; loops of one iteration and what does
// nothing disappear. A loop that is bound to a thread or carries annotations stays, though it has one iteration.
//
// Expects and leaves any function, with blocks or without. It stands behind lower_blocks, whose substitutions leave
// indices and predicates as they were written, and before bound_loops and the passes of back ends, which look for
// affine indices and take every condition that is left for a real one. Behind unroll_loops it runs again: an
// iteration's number is a constant there.
ir::PrimFunc simplify(ir::PrimFunc function);

}  // namespace vantage::passes
