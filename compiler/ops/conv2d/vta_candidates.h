// Tilings of a whole layer that seem good, by models that are quick and rough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::ops {

// What a tiling must have: sides in tiles and threads as in VtaConv2dTiling; 0: anything.
struct TilingRequest {
  int64_t n = 0, oc = 0, h = 0, w = 0, ic = 0;
  int threads = 0;
  bool is_open() const { return n == 0 && oc == 0 && h == 0 && w == 0 && ic == 0 && threads == 0; }
};

// At most `count`, the best first: all that fit the scratchpads are ordered by their rough cost (vta_rough_cost.h), and
// those that seem no worse than the best so far are weighed tile by tile (vta_timeline.h). Empty when none fits.
struct VtaConv2dCandidate {
  VtaConv2dTiling tiling;
  int64_t instructions;  // of its program, roughly
};
std::vector<VtaConv2dCandidate> vta_conv2d_candidates(const Conv2dShape& shape, const Epilogue& epilogue,
                                                      const isa::Config& config, const TilingRequest& request,
                                                      const MemoryTiming& memory, size_t count);

}  // namespace vantage::ops
