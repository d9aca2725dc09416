#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::compiler {

// Loops directly around a GEMM become axes of it.
tir::PrimFunc lower_gemm(tir::PrimFunc function);

}  // namespace vantage::compiler
