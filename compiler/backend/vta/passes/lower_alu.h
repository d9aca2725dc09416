#pragma once

#include "compiler/ir/prim_func.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// What is computed element by element into accumulators becomes ALU instructions and resets; a formula of several
// operations becomes as many. Throws Error, naming the tensor, for what the ALU cannot do.
ir::PrimFunc lower_alu(ir::PrimFunc function, const isa::Config& config);

}  // namespace vantage::vta
