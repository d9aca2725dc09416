#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::vta {

// Loops directly around a GEMM become axes of it.
ir::PrimFunc lower_gemm(ir::PrimFunc function);

}  // namespace vantage::vta
