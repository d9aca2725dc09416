// What the model by which tiles are chosen (compiler/ops/cuda/product_cost.h) says that functions take, so that it can
// be held against what they took.
//
// Thread safety: a function without state.
#pragma once

#include "compiler/backend/cuda/architecture.h"
#include "compiler/ir/prim_func.h"

namespace vantage::bench {

// Cycles of all products of float32 of a definition that are made in tiles, by ordinary instructions; 0: it has none.
double modelled_cycles(const ir::PrimFunc& definition, const cuda::Architecture& architecture);

}  // namespace vantage::bench
