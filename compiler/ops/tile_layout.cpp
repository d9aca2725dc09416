#include "compiler/ops/tile_layout.h"

#include "base/error.h"
#include "base/math.h"
#include "hw/isa/lanes.h"

namespace vantage::ops {

using isa::Memory;

namespace {

struct TileGrid {
  size_t tile_rows, tile_cols;  // of one element
  int lane_bits;
};

TileGrid grid_of(Memory memory, const isa::Config& config) {
  const auto batch = static_cast<size_t>(config.batch());
  const auto in = static_cast<size_t>(config.block_in());
  const auto out = static_cast<size_t>(config.block_out());
  switch (memory) {
    case Memory::kInp: return {batch, in, config.inp_bits()};
    case Memory::kWgt: return {out, in, config.wgt_bits()};
    case Memory::kAcc: return {batch, out, config.acc_bits()};
    case Memory::kOut: return {batch, out, config.out_bits()};
    default: break;
  }
  VANTAGE_CHECK(false);
  return {};
}

struct ImageSizes {
  size_t n = 1, c = 1, h = 1, w = 1;

  explicit ImageSizes(const vantage::Tensor::Shape& shape) {
    VANTAGE_CHECK(shape.size() <= 4);
    size_t* const all[] = {&n, &c, &h, &w};
    for (size_t d = 0; d < shape.size(); ++d) *all[d] = static_cast<size_t>(shape[d]);
  }
  size_t at(size_t i, size_t j, size_t y, size_t x) const { return ((i * c + j) * h + y) * w + x; }
};

// Calls visit(n, c, h, w, lane) for every lane of every tile, in DRAM order; padding too.
template <typename Visit>
void for_each_lane(const ImageSizes shape, const TileGrid grid, const Visit visit) {
  size_t lane = 0;
  for (size_t tile_row = 0; tile_row < ceil_div(shape.n, grid.tile_rows); ++tile_row) {
    for (size_t tile_col = 0; tile_col < ceil_div(shape.c, grid.tile_cols); ++tile_col) {
      for (size_t h = 0; h < shape.h; ++h) {
        for (size_t w = 0; w < shape.w; ++w) {
          for (size_t r = 0; r < grid.tile_rows; ++r) {
            for (size_t c = 0; c < grid.tile_cols; ++c) {
              visit(tile_row * grid.tile_rows + r, tile_col * grid.tile_cols + c, h, w, lane++);
            }
          }
        }
      }
    }
  }
}

size_t packed_size(const ImageSizes& shape, const TileGrid& grid) {
  const size_t tiles = ceil_div(shape.n, grid.tile_rows) * ceil_div(shape.c, grid.tile_cols) * shape.h * shape.w;
  return tiles * grid.tile_rows * grid.tile_cols * static_cast<size_t>(grid.lane_bits) / 8;
}

template <typename T>
void unpack(std::span<const std::byte> bytes, const ImageSizes& images, const TileGrid& grid, std::span<T> values) {
  for_each_lane(images, grid,
                [=, from = bytes.data(), to = values.data()](size_t i, size_t j, size_t y, size_t x, size_t lane) {
                  if (i < images.n && j < images.c) {
                    to[images.at(i, j, y, x)] = static_cast<T>(read_lane(from, lane, grid.lane_bits));
                  }
                });
}

}  // namespace

std::vector<std::byte> pack_tiles(const vantage::Tensor& tensor, Memory memory, const isa::Config& config,
                                  std::string_view name) {
  const TileGrid grid = grid_of(memory, config);
  const ImageSizes images(tensor.shape());
  const bool repeat_rows = memory == Memory::kAcc;
  VANTAGE_CHECK(tensor.dtype().is_signed() && (!repeat_rows || images.n == 1));
  const int bits = grid.lane_bits;
  const int64_t low = -(int64_t{1} << (bits - 1));
  const int64_t high = (int64_t{1} << (bits - 1)) - 1;
  std::vector<std::byte> bytes(packed_size(images, grid));
  visit_integers(tensor, [&](const auto& values) {
    // By value: what is written are bytes, which might be anything that is only referred to.
    for_each_lane(images, grid,
                  [=, from = values.data(), to = bytes.data()](size_t n, size_t c, size_t h, size_t w, size_t lane) {
                    if (repeat_rows) n = 0;
                    if (n >= images.n || c >= images.c) return;
                    const int64_t value = from[images.at(n, c, h, w)];
                    if (value < low || value > high) {
                      fail("{}: the value {} at row {}, column {} does not fit the configuration's {} bits ({} to {})",
                           name, value, n, c, bits, low, high);
                    }
                    write_lane(to, lane, bits, static_cast<int32_t>(value));
                  });
  });
  return bytes;
}

vantage::Tensor unpack_tiles(std::span<const std::byte> bytes, const vantage::Tensor::Shape& shape,
                             const isa::Config& config) {
  const TileGrid grid = grid_of(Memory::kOut, config);
  const ImageSizes images(shape);
  VANTAGE_CHECK(bytes.size() >= packed_size(images, grid));
  vantage::Tensor tensor(grid.lane_bits <= 8 ? kInt8 : grid.lane_bits <= 16 ? kInt16 : kInt32, shape);
  switch (tensor.dtype().bytes()) {
    case 1: unpack(bytes, images, grid, tensor.values<int8_t>()); break;
    case 2: unpack(bytes, images, grid, tensor.values<int16_t>()); break;
    default: unpack(bytes, images, grid, tensor.values<int32_t>()); break;
  }
  return tensor;
}

}  // namespace vantage::ops
