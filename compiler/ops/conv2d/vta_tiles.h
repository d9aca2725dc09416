// A part of a layer cut into tiles: how many there are, and what each needs of the input.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/math.h"
#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// A stretch of one dimension cut into pieces, of 1 at least; the last may be smaller.
struct Cut {
  Cut(int64_t all, int64_t of_one, int64_t first = 0)
      : size(all), piece(of_one), begin(first), pieces_(ceil_div(all, of_one)) {}
  int64_t count() const { return pieces_; }
  int64_t extent(int64_t i) const { return std::min(piece, size - i * piece); }
  const int64_t size, piece, begin;

 private:
  const int64_t pieces_;  // asked for more often than a division is worth
};

// How many tiles of input channels a result takes.
inline int64_t depth_in_tiles(const Conv2dShape& shape, const isa::Config& config) {
  return shape.channelwise ? 1 : ceil_div(shape.in_channels, config.block_in());
}

struct TiledLayer {
  Cut n, oc, h, w, ic;
  int64_t kernel_h, kernel_w;
  int64_t reach_h, reach_w;  // of the input, that a kernel covers
  // Of the input as it is loaded: without the rows and pixels that are not.
  int64_t height, width, row_stride, column_stride;
  Border pad;

  bool is_product, channelwise, picks_pixels;
  int64_t images, out_channels;  // of the whole layer, in tiles

  TiledLayer(const Conv2dShape& s, const VtaConv2dPart& part, const isa::Config& config)
      : TiledLayer(s, part, part.tiling, ceil_div(s.batch, config.batch()),
                   ceil_div(s.out_channels, config.block_out()), config) {}

  // Channels of the input in tiles: of all of it, and of one piece's chunk.
  int64_t in_channels() const { return channelwise ? out_channels : ic.size; }
  int64_t channels_loaded(int64_t oc_piece, int64_t chunk) const {
    return channelwise ? oc.extent(oc_piece) : ic.extent(chunk);
  }

  int64_t tiles() const { return n.count() * oc.count() * h.count() * w.count(); }
  int64_t rows(int64_t h_extent) const { return (h_extent - 1) * row_stride + reach_h; }
  int64_t columns(int64_t w_extent) const { return (w_extent - 1) * column_stride + reach_w; }
  // Rows of a product that stay lie in chunks, one behind the other, if all are equally long.
  bool lies_in_chunks() const { return is_product && ic.size % std::min(ic.piece, ic.size) == 0; }
  // How a tile of a product is stored: rows of elements that lie beside each other in memory. One instruction takes
  // rows that follow each other in the scratchpad, too: those of a tile that is cut short do not.
  struct Stores {
    int64_t instructions, rows, row;
  };
  Stores stores(int64_t n_extent, int64_t oc_extent) const {
    if (oc_extent == oc.size) return {1, 1, n_extent * oc_extent};
    return {oc_extent == oc.piece ? 1 : n_extent, n_extent, oc_extent};
  }
  // Rows and columns of the input, without zeros, that a tile needs.
  int64_t rows_inside(int64_t tile) const {
    return inside((h.begin + tile * h.piece) * row_stride, rows(h.extent(tile)), pad.top, height);
  }
  int64_t columns_inside(int64_t tile) const {
    return inside(tile * w.piece * column_stride, columns(w.extent(tile)), pad.left, width);
  }
  // On how many pixels the kernel's elements lie, along the rows and the columns of a tile: the products of the two are
  // those that are not with zeros. And those of all tiles.
  int64_t pixels_down(int64_t tile) const { return pixels_down(tile * h.piece, h.extent(tile)); }
  int64_t pixels_across(int64_t tile) const { return pixels_across(tile * w.piece, w.extent(tile)); }
  int64_t pixels() const { return pixels_down(0, h.size) * pixels_across(0, w.size); }
  // Those of [first, first + count) that lie inside a dimension with `before` zeros in front, and more behind.
  static int64_t inside(int64_t first, int64_t count, int64_t before, int64_t size) {
    return std::max<int64_t>(0, std::min(first + count, before + size) - std::max(first, before));
  }

 private:
  int64_t pixels_down(int64_t first, int64_t count) const {
    return pixels((h.begin + first) * row_stride, count, row_stride, kernel_h, reach_h, pad.top, height);
  }
  int64_t pixels_across(int64_t first, int64_t count) const {
    return pixels(first * column_stride, count, column_stride, kernel_w, reach_w, pad.left, width);
  }
  static int64_t pixels(int64_t first, int64_t count, int64_t stride, int64_t kernel, int64_t reach, int64_t before,
                        int64_t size) {
    const int64_t dilation = kernel > 1 ? (reach - 1) / (kernel - 1) : 1;
    int64_t all = 0;
    for (int64_t k = 0; k < kernel; ++k) {
      // How many places at + i * stride lie in front of `border`.
      const int64_t at = first + k * dilation;
      const auto in_front_of = [&](int64_t border) {
        return std::min(count, ceil_div(std::max<int64_t>(0, border - at), stride));
      };
      all += in_front_of(before + size) - in_front_of(before);
    }
    return all;
  }
  TiledLayer(const Conv2dShape& s, const VtaConv2dPart& part, const VtaConv2dTiling& t, int64_t all_images,
             int64_t all_channels, const isa::Config& config)
      : n{part.n.extent(all_images), t.n, part.n.begin},
        oc{part.oc.extent(all_channels), t.oc, part.oc.begin},
        h{part.h.extent(s.out_height()), t.h, part.h.begin},
        w{s.out_width(), t.w},
        ic{depth_in_tiles(s, config), t.ic},
        kernel_h(s.kernel_h),
        kernel_w(s.kernel_w),
        reach_h(s.reach_h()),
        reach_w(s.reach_w()),
        height(s.skips_rows() ? s.out_height() : s.height),
        width(t.picks_pixels ? s.out_width() : s.width),
        row_stride(s.skips_rows() ? 1 : s.stride.rows),
        column_stride(t.picks_pixels ? 1 : s.stride.columns),
        pad(s.pad),
        is_product(s.is_product()),
        channelwise(s.channelwise),
        picks_pixels(t.picks_pixels),
        images(all_images),
        out_channels(all_channels) {}
};

// A part's tiling with no side longer than the part: tiles beyond it would take room for nothing.
inline VtaConv2dTiling clipped(const VtaConv2dPart& part, const Conv2dShape& shape, const isa::Config& config) {
  const TiledLayer layer(shape, part, config);
  VtaConv2dTiling t = part.tiling;
  t.n = std::min(t.n, layer.n.size);
  t.oc = std::min(t.oc, layer.oc.size);
  t.h = std::min(t.h, layer.h.size);
  t.w = std::min(t.w, layer.w.size);
  t.ic = std::min(t.ic, layer.ic.size);
  return t;
}

}  // namespace vantage::ops
