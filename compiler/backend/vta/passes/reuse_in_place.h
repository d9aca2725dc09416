#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::vta {

// Accumulators that are computed element by element from others that nobody needs any more take their place: the VTA's
// ALU works in place. The loops are annotated with the name of what they make, for messages.
//
// Expects buffers of [elements][lanes] and no blocks. Leaves fewer allocations, and stores to buffers that are also
// read at the same element. It stands before double_buffer, so that one buffer gets several places instead of a chain
// of them, and before lower_alu, for which the place of an operand and of its result decides between one instruction
// and two.
ir::PrimFunc reuse_in_place(ir::PrimFunc function);

}  // namespace vantage::vta
