#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Conditions around the whole body of a loop become bounds of the loop where they limit its variable, and move out of
// it where they do not depend on it. Neighbours under one condition come together under it.
// No loop has fewer than 0 iterations afterwards.
ir::PrimFunc bound_loops(ir::PrimFunc function);

}  // namespace vantage::passes
