// The greatest pixel of each window, on the VTA's ALU.
//
//   A [batch][c][h][w] in ACC8 tiles, sign-extended      C [batch][c][oh][ow] in OUT tiles
//
// Channels and batch count tiles (tile_layout.h).
#pragma once

#include <cstdint>

#include "base/shape/conv2d.h"
#include "compiler/backend/vta/timing/bound.h"
#include "compiler/schedule/schedule.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::ops {

// In elements. Windows reach over a border around the image, which a load fills with zeros: REQUIRES no border, or
// pixels of at least 0, so that no zero is the greatest where a pixel is not.
struct VtaPool {
  int64_t batch = 1, channels = 1, height = 1, width = 1;
  int64_t kernel_h = 1, kernel_w = 1;
  PerAxis stride = 1;
  Border pad = 0;
  PerAxis dilation = 1;
  int least = -128;  // that a pixel may be

  // The windows' places are those of a convolution's kernel.
  Conv2dShape places() const {
    return {batch, channels, height, width, channels, kernel_h, kernel_w, stride, pad, dilation};
  }
  int64_t out_height() const { return places().out_height(); }
  int64_t out_width() const { return places().out_width(); }
  bool operator==(const VtaPool&) const = default;
};

// Of the output, how many tiles of channels and rows are computed at a time, and by how many virtual threads.
struct VtaPoolTiling {
  int64_t channels = 1, rows = 1;
  int threads = 1;
  bool double_buffer = false;  // the input in two places, so that some is loaded while the rest is folded
  bool operator==(const VtaPoolTiling&) const = default;
};

// The function "max_pool2d" with parameters A and C. Throws Error for sizes below 1, windows that reach beyond the
// padded image, and configurations whose outputs do not have the 8 bits that accumulators are loaded from.
ir::PrimFunc vta_max_pool(const VtaPool& pool, const isa::Config& config);

// The function with its schedule, ready to be lowered.
schedule::Schedule schedule_vta_pool(const VtaPool& pool, const VtaPoolTiling& tiling, const isa::Config& config);

// Whether there is a tiling that fits the accumulators.
bool has_room(const VtaPool& pool, const isa::Config& config);

// What every program for it must do: read the image once, take a beginning and every pixel of a window, write it.
vta::Work vta_pool_work(const VtaPool& pool, const isa::Config& config);

struct VtaPoolSearch {
  VtaPoolTiling tiling;
  uint64_t cycles = 0;  // as its program is estimated (compiler/backend/vta/timing)
  vta::Bound bound;
};

// The tiling whose program takes the fewest cycles with this memory, of those that a search of some 0.1 s weighs.
// Throws Error when none fits.
VtaPoolSearch search_vta_pool(const VtaPool& pool, const isa::Config& config, const MemoryTiming& memory = {});

}  // namespace vantage::ops
