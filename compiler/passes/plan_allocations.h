#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Puts every buffer that a function allocates around the smallest statement that holds all its uses, inside of loops
// where each iteration makes what it reads. Buffers that nothing uses disappear.
ir::PrimFunc plan_allocations(ir::PrimFunc function);

}  // namespace vantage::passes
