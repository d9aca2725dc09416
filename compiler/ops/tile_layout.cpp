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

// Calls visit(n, c, h, w, lane) for every lane of every tile, in DRAM order; padding too.
template <typename Visit>
void for_each_lane(const Images& shape, const TileGrid& grid, Visit visit) {
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

size_t packed_size(const Images& shape, const TileGrid& grid) {
  const size_t tiles = ceil_div(shape.n, grid.tile_rows) * ceil_div(shape.c, grid.tile_cols) * shape.h * shape.w;
  return tiles * grid.tile_rows * grid.tile_cols * static_cast<size_t>(grid.lane_bits) / 8;
}

}  // namespace

Images images_of(const Matrix& matrix) {
  Images images(matrix.rows, matrix.cols, 1, 1);
  images.values = matrix.values;
  return images;
}

Matrix matrix_of(const Images& images) {
  VANTAGE_CHECK(images.h == 1 && images.w == 1);
  Matrix matrix(images.n, images.c);
  matrix.values = images.values;
  return matrix;
}

std::vector<std::byte> pack_tiles(const Images& images, Memory memory, const isa::Config& config,
                                  std::string_view name) {
  const TileGrid grid = grid_of(memory, config);
  const bool repeat_rows = memory == Memory::kAcc;
  VANTAGE_CHECK(!repeat_rows || images.n == 1);
  const int bits = grid.lane_bits;
  const int64_t low = -(int64_t{1} << (bits - 1));
  const int64_t high = (int64_t{1} << (bits - 1)) - 1;
  std::vector<std::byte> bytes(packed_size(images, grid));
  for_each_lane(images, grid, [&](size_t n, size_t c, size_t h, size_t w, size_t lane) {
    if (repeat_rows) n = 0;
    if (n >= images.n || c >= images.c) return;
    const int32_t value = images.at(n, c, h, w);
    if (value < low || value > high) {
      fail("{}: the value {} at row {}, column {} does not fit the configuration's {} bits ({} to {})", name, value, n,
           c, bits, low, high);
    }
    write_lane(bytes.data(), lane, bits, value);
  });
  return bytes;
}

std::vector<std::byte> pack_tiles(const Matrix& matrix, Memory memory, const isa::Config& config,
                                  std::string_view name) {
  return pack_tiles(images_of(matrix), memory, config, name);
}

Images unpack_tiles(const std::vector<std::byte>& bytes, size_t n, size_t c, size_t h, size_t w,
                    const isa::Config& config) {
  const TileGrid grid = grid_of(Memory::kOut, config);
  Images images(n, c, h, w);
  VANTAGE_CHECK(bytes.size() >= packed_size(images, grid));
  for_each_lane(images, grid, [&](size_t i, size_t j, size_t y, size_t x, size_t lane) {
    if (i < n && j < c) images.at(i, j, y, x) = read_lane(bytes.data(), lane, grid.lane_bits);
  });
  return images;
}

Matrix unpack_tiles(const std::vector<std::byte>& bytes, size_t rows, size_t cols, const isa::Config& config) {
  return matrix_of(unpack_tiles(bytes, rows, cols, 1, 1, config));
}

}  // namespace vantage::ops
