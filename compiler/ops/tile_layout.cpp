#include "compiler/ops/tile_layout.h"

#include "hw/spec/error.h"
#include "hw/spec/lanes.h"

namespace vantage::compiler {

using isa::Memory;

namespace {

struct TileGrid {
  size_t tile_rows, tile_cols;  // of one element
  int lane_bits;
};

TileGrid grid_of(Memory memory, const spec::Config& config) {
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

// Calls visit(row, col, lane) for every lane of every tile, in DRAM order.
template <typename Visit>
void for_each_lane(size_t rows, size_t cols, const TileGrid& grid, Visit visit) {
  size_t lane = 0;
  for (size_t tile_row = 0; tile_row < ceil_div(rows, grid.tile_rows); ++tile_row) {
    for (size_t tile_col = 0; tile_col < ceil_div(cols, grid.tile_cols); ++tile_col) {
      for (size_t r = 0; r < grid.tile_rows; ++r) {
        for (size_t c = 0; c < grid.tile_cols; ++c) {
          visit(tile_row * grid.tile_rows + r, tile_col * grid.tile_cols + c, lane++);
        }
      }
    }
  }
}

size_t packed_size(size_t rows, size_t cols, const TileGrid& grid) {
  const size_t tiles = ceil_div(rows, grid.tile_rows) * ceil_div(cols, grid.tile_cols);
  return tiles * grid.tile_rows * grid.tile_cols * static_cast<size_t>(grid.lane_bits) / 8;
}

}  // namespace

std::vector<std::byte> pack_tiles(const Matrix& matrix, Memory memory, const spec::Config& config,
                                  std::string_view name) {
  const TileGrid grid = grid_of(memory, config);
  const bool repeat_rows = memory == Memory::kAcc;
  VANTAGE_CHECK(!repeat_rows || matrix.rows == 1);
  const int bits = grid.lane_bits;
  const int64_t low = -(int64_t{1} << (bits - 1));
  const int64_t high = (int64_t{1} << (bits - 1)) - 1;
  std::vector<std::byte> bytes(packed_size(matrix.rows, matrix.cols, grid));
  for_each_lane(matrix.rows, matrix.cols, grid, [&](size_t row, size_t col, size_t lane) {
    if (repeat_rows) row = 0;
    if (row >= matrix.rows || col >= matrix.cols) return;
    const int32_t value = matrix.at(row, col);
    if (value < low || value > high) {
      fail("{}: the value {} at row {}, column {} does not fit the configuration's {} bits ({} to {})", name, value,
           row, col, bits, low, high);
    }
    write_lane(bytes.data(), lane, bits, value);
  });
  return bytes;
}

Matrix unpack_tiles(const std::vector<std::byte>& bytes, size_t rows, size_t cols, const spec::Config& config) {
  const TileGrid grid = grid_of(Memory::kOut, config);
  VANTAGE_CHECK(bytes.size() >= packed_size(rows, cols, grid));
  Matrix matrix(rows, cols);
  for_each_lane(rows, cols, grid, [&](size_t row, size_t col, size_t lane) {
    if (row < rows && col < cols) matrix.at(row, col) = read_lane(bytes.data(), lane, grid.lane_bits);
  });
  return matrix;
}

}  // namespace vantage::compiler
