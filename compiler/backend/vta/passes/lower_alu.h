#pragma once

#include "compiler/ir/prim_func.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// What is computed element by element into accumulators becomes ALU instructions and resets; a formula of several
// operations becomes as many. Throws Error, naming the tensor, for what the ALU cannot do.
//
// Expects buffers of [elements][lanes]; every store left in the function is a computation in accumulators, in a nest
// of loops without conditions. Leaves no stores, only the calls of calls.h in loops and conditions. It stands behind
// lower_dma, which has taken the stores that are copies, and behind reuse_in_place.
ir::PrimFunc lower_alu(ir::PrimFunc function, const isa::Config& config);

}  // namespace vantage::vta
