// About how long a tiling takes, from sums over all of its loads, steps and stores: what is weighed first, as there are
// thousands of tilings. For a tenth of random tilings it is too high by more than 5 %, where loads merge or engines
// overlap more than it knows; for short programs by several times.
#pragma once

#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/conv2d/vta_tiles.h"
#include "compiler/ops/epilogue.h"
#include "compiler/ops/transfer_cost.h"
#include "hw/isa/config.h"

namespace vantage::ops {

struct RoughCost {
  int64_t cycles, instructions;
};
// Of a whole layer, cut by the tiling's sides. REQUIRES: the tiling fits (vta_timeline.h).
RoughCost rough_cost(const TiledLayer& layer, const Epilogue& epilogue, const VtaConv2dTiling& tiling,
                     const isa::Config& config, const TransferCost& memory);

}  // namespace vantage::ops
