#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Buffers noted by Schedule::storage_align get strides: that of the dimension is the smallest which leaves `offset`
// when divided by `factor` and still passes over what lies inside.
ir::PrimFunc align_storage(ir::PrimFunc function);

}  // namespace vantage::passes
