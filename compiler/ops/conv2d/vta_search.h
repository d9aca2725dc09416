// The best tiling for a layer.
#pragma once

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::ops {

// What a tiling must have: sides in tiles and threads as in VtaConv2dTiling; 0: anything.
struct TilingRequest {
  int64_t n = 0, oc = 0, h = 0, w = 0, ic = 0;
  int threads = 0;
};

// The tiling whose program takes the fewest cycles with this memory, as far as is seen: all that fit the scratchpads
// are ordered by their rough cost (vta_rough_cost.h); those that seem no worse than the best so far are weighed tile by
// tile (vta_timeline.h), and the best few are compiled and weighed instruction by instruction
// (compiler/backend/vta/timing). The same for the same arguments. Throws Error when none fits.
VtaConv2dTiling choose_vta_conv2d_tiling(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                         const TilingRequest& request = {}, const MemoryTiming& memory = {});

}  // namespace vantage::ops
