// What a layer costs at least, in cycles: however it is scheduled, and in a given tiling. Searches leave out what
// cannot be better than what they have, and say how near to the first they came.
#pragma once

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "compiler/ops/epilogue.h"
#include "compiler/ops/transfer_cost.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// What every schedule of a layer does. Steps and beats take a cycle each, beats as many as the memory's rate wants.
struct LayerWork {
  int64_t gemm_steps;
  int64_t vector_steps;  // resets, and the epilogue's ALU steps
  int64_t read_beats;    // every weight, and every pixel that a kernel reaches, once
  int64_t store_beats;
};
LayerWork layer_work(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config);

// ALU instructions of the epilogue for each tile.
int64_t alu_instructions(const Epilogue& epilogue);

// The least cycles of a tiling, and about how many instructions it makes.
struct TilingBound {
  int64_t cycles, instructions;
};
TilingBound tiling_bound(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dTiling& tiling,
                         const isa::Config& config, const TransferCost& memory);

}  // namespace vantage::ops
