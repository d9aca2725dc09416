#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::lower {

// Buffers noted by Schedule::storage_align get strides: that of the dimension is the smallest which leaves `offset`
// when divided by `factor` and still passes over what lies inside.
tir::PrimFunc align_storage(tir::PrimFunc function);

}  // namespace vantage::lower
