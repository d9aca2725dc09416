// All tilings of a whole layer, and what is known of them before any is weighed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/conv2d/vta_rough_cost.h"
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

// A tiling, the room that it takes, and how long it takes, roughly. None of this depends on the sizes of scratchpads.
struct RatedTiling {
  VtaConv2dTiling tiling;
  ScratchpadUse use;      // the accumulators with all of the bias, where that stays
  int64_t acc_in_pieces;  // with the bias of a tile at a time, where that is asked for
  RoughCost rough;
  // By the model of tiles (vta_timeline.h), once it was asked for: its cycles, or what they are more than.
  std::optional<int64_t> cycles = {};
  int64_t more_than = 0;
};

// The best first, roughly: sizes that cut a side into nearly equal pieces, and all choices beside them. Those with a
// bias keep it (bias_resident). `that_fit`: only those that can be fitted(), but for those that roughly take more than
// one and a half times what the best does; else all that fit cores with more room.
std::vector<RatedTiling> rated_tilings(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                       const TilingRequest& request, const MemoryTiming& memory, bool that_fit);

// The same tiling, its bias in pieces where there is no room for all of it; none where it does not fit at all.
std::optional<VtaConv2dTiling> fitted(const RatedTiling& rated, const ScratchpadRoom& room);

}  // namespace vantage::ops
