#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Buffers noted "double_buffer" get as many places as the note says, which the iterations of the loop around them use
// in turn: one iteration's values may still be read while the next ones make theirs. Without a loop of one iteration
// after another directly around, the note means nothing.
//
// Expects allocations as statements directly in the body of the loop, blocks gone. Leaves a buffer whose first
// dimension is as many times as long, allocated around that loop, and indices that change places by the loop's
// variable. It stands behind the passes that still make buffers smaller or put one in another's place (compact_buffers;
// reuse_in_place of the VTA), which would see several places where there is one, and before those that unroll the loop
// or take indices to instructions.
ir::PrimFunc double_buffer(ir::PrimFunc function);

}  // namespace vantage::passes
