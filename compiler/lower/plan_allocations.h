#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::lower {

// Puts every buffer that a function allocates around the smallest statement that holds all its uses, inside of loops
// where each iteration makes what it reads. Buffers that nothing uses disappear.
tir::PrimFunc plan_allocations(tir::PrimFunc function);

}  // namespace vantage::lower
