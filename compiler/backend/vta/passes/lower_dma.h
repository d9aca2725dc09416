#pragma once

#include "compiler/ir/prim_func.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// Copies marked with the pragma dma_copy become loads and stores (calls.h): rows of a rectangle, with zeros around it
// where the copy takes them instead of elements outside. Loops that a transfer cannot hold stay around it; where rows
// lie side by side only if they are whole, as those of pieces do in all but the last, both ways stand under an `if`.
// Throws Error, naming the tensors, for a copy that no transfer can make.
//
// Expects buffers of [elements][lanes], and under each pragma a perfect nest of loops around one store, conditions
// only in the value that is stored. Leaves calls of vta.load and vta.store in their place; everything else as it was.
// It stands behind double_buffer, since a transfer names the place that it fills, and before lower_alu, which takes
// every store that is left for a computation.
ir::PrimFunc lower_dma(ir::PrimFunc function, const isa::Config& config);

}  // namespace vantage::vta
