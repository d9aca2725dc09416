// A layer cut into tiles: how many there are, and what each needs of the input.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/math.h"
#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// One dimension cut into pieces; the last may be smaller.
struct Cut {
  int64_t size, piece;
  int64_t count() const { return ceil_div(size, piece); }
  int64_t extent(int64_t i) const { return std::min(piece, size - i * piece); }
};

struct TiledLayer {
  Cut n, oc, h, w, ic;
  int64_t kernel_h, kernel_w;
  // Of the input as it is loaded: without the rows and pixels that are not.
  int64_t height, width, row_stride, column_stride, pad;

  TiledLayer(const Conv2dShape& s, const VtaConv2dTiling& t, const isa::Config& config)
      : n{ceil_div(s.batch, config.batch()), t.n},
        oc{ceil_div(s.out_channels, config.block_out()), t.oc},
        h{s.out_height(), t.h},
        w{s.out_width(), t.w},
        ic{ceil_div(s.in_channels, config.block_in()), t.ic},
        kernel_h(s.kernel_h),
        kernel_w(s.kernel_w),
        height(s.skips_rows() ? s.out_height() : s.height),
        width(t.picks_pixels ? s.out_width() : s.width),
        row_stride(s.skips_rows() ? 1 : s.stride),
        column_stride(t.picks_pixels ? 1 : s.stride),
        pad(s.pad) {}

  int64_t tiles() const { return n.count() * oc.count() * h.count() * w.count(); }
  int64_t rows(int64_t h_extent) const { return (h_extent - 1) * row_stride + kernel_h; }
  int64_t columns(int64_t w_extent) const { return (w_extent - 1) * column_stride + kernel_w; }
  // Rows and columns of the input, without zeros, that a tile needs.
  int64_t rows_inside(int64_t tile) const {
    return inside(tile * h.piece * row_stride, rows(h.extent(tile)), pad, height);
  }
  int64_t columns_inside(int64_t tile) const {
    return inside(tile * w.piece * column_stride, columns(w.extent(tile)), pad, width);
  }
  // Those of [first, first + count) that lie inside a dimension with zeros around.
  static int64_t inside(int64_t first, int64_t count, int64_t pad, int64_t size) {
    return std::max<int64_t>(0, std::min(first + count, pad + size) - std::max(first, pad));
  }
};

}  // namespace vantage::ops
