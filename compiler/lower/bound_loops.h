#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::lower {

// Conditions around the whole body of a loop become bounds of the loop where they limit its variable, and move out of
// it where they do not depend on it. Neighbours under one condition come together under it.
// No loop has fewer than 0 iterations afterwards.
tir::PrimFunc bound_loops(tir::PrimFunc function);

}  // namespace vantage::lower
