#pragma once

#include "compiler/tir/prim_func.h"
#include "hw/spec/config.h"

namespace vantage::compiler {

// What is computed element by element into accumulators becomes ALU instructions and resets; a formula of several
// operations becomes as many. Throws Error, naming the tensor, for what the ALU cannot do.
tir::PrimFunc lower_alu(tir::PrimFunc function, const spec::Config& config);

}  // namespace vantage::compiler
