#pragma once

#include "compiler/tir/prim_func.h"
#include "hw/spec/config.h"

namespace vantage::compiler {

// Copies marked with the pragma dma_copy become loads and stores: rows of a rectangle, with zeros around it where the
// copy takes them instead of elements outside. Loops that a transfer cannot hold stay around it. Throws Error, naming
// the tensors, for a copy that no transfer can make.
tir::PrimFunc lower_dma(tir::PrimFunc function, const spec::Config& config);

}  // namespace vantage::compiler
