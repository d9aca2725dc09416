#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Buffers noted by Schedule::storage_align get strides: that of the dimension is the smallest which leaves `offset`
// when divided by `factor` and still passes over what lies inside.
//
// Expects allocations as statements that carry the notes; buffers so noted have no strides yet. Leaves them with
// strides and without the notes. It stands behind compact_buffers because strides follow from the shape that a buffer
// has in the end. The VTA's back end leaves it out: its scratchpads hold elements without gaps.
ir::PrimFunc align_storage(ir::PrimFunc function);

}  // namespace vantage::passes
