#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::vta {

// Accumulators that are computed element by element from others that nobody needs any more take their place: the VTA's
// ALU works in place.
ir::PrimFunc reuse_in_place(ir::PrimFunc function);

}  // namespace vantage::vta
