#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Buffers noted "double_buffer" get two places, which the iterations of the loop around them use in turn: one
// iteration's values may still be read while the next one makes its own. Without a loop of one iteration after another
// directly around, the note means nothing.
//
// Expects allocations as statements directly in the body of the loop, blocks gone. Leaves a buffer of twice the first
// dimension, allocated around that loop, and indices that change places by the loop's variable. It stands behind the
// passes that still make buffers smaller or put one in another's place (compact_buffers; reuse_in_place of the VTA),
// which would see two places where there is one, and before those that unroll the loop or take indices to
// instructions.
ir::PrimFunc double_buffer(ir::PrimFunc function);

}  // namespace vantage::passes
