// What a product in tiles takes on a GPU, by a rough model that ranks tiles: with the architecture's multiprocessors,
// and an H200's memory.
//
// Thread safety: a function without state.
#pragma once

#include "compiler/backend/cuda/architecture.h"
#include "compiler/ops/cuda/product_tiles.h"

namespace vantage::ops {

// Cycles of the GPU's multiprocessor that has most to do, and those in which sums of parts are added up. A thread's
// instructions are its products, what brings operands to its registers, and its share in the fetches of its block. They
// take the longer, the fewer warps there are to take turns; and blocks that are too few, or a last round of few, leave
// multiprocessors idle.
double product_cycles(const ProductForm& form, const ProductTile& tile, const cuda::Architecture& architecture);

}  // namespace vantage::ops
