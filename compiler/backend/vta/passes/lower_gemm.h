#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::vta {

// Loops directly around a GEMM, or around the reset of its accumulators, become axes of it (calls.h). Loops by which
// an operand does not step evenly upwards, and virtual threads, stay around it.
//
// Expects the calls vta.gemm and vta.reset that tensorize has put in, of single elements of [elements][lanes] buffers.
// Leaves the same calls with axes. It stands behind bound_loops, because a loop with a condition inside could not
// become an axis, and behind double_buffer, whose indices decide by which loops an operand steps evenly.
ir::PrimFunc lower_gemm(ir::PrimFunc function);

}  // namespace vantage::vta
