// The best tiling for a layer, by the model of vta_timeline.h.
#pragma once

#include "compiler/ops/conv2d/vta_timeline.h"

namespace vantage::ops {

// What a tiling must have: sides in tiles and threads as in VtaConv2dTiling; 0: anything.
struct TilingRequest {
  int64_t n = 0, oc = 0, h = 0, w = 0, ic = 0;
  int threads = 0;
};

// The tiling with the fewest estimated cycles among all that fit the scratchpads and make fewer than 2,000
// instructions (or, where none does, the one that makes the fewest); the same for the same arguments. Throws Error when
// none fits.
VtaConv2dTiling choose_vta_conv2d_tiling(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                         const TilingRequest& request = {});

}  // namespace vantage::ops
