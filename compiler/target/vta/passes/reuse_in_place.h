#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::compiler {

// Accumulators that are computed element by element from others that nobody needs any more take their place: the VTA's
// ALU works in place.
tir::PrimFunc reuse_in_place(tir::PrimFunc function);

}  // namespace vantage::compiler
