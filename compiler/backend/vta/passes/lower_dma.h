#pragma once

#include "compiler/ir/prim_func.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// Copies marked with the pragma dma_copy become loads and stores: rows of a rectangle, with zeros around it where the
// copy takes them instead of elements outside. Loops that a transfer cannot hold stay around it. Throws Error, naming
// the tensors, for a copy that no transfer can make.
ir::PrimFunc lower_dma(ir::PrimFunc function, const isa::Config& config);

}  // namespace vantage::vta
