// How tensors lie in DRAM: cut into the tiles of the GEMM core, zero-padded to whole tiles, each tile one element of
// its memory type (docs/isa.md section 1), lanes packed at their width, little-endian.
//
//   INP [n/BATCH][c/BLOCK_IN][h][w][BATCH][BLOCK_IN]          activations, and
//   OUT [n/BATCH][c/BLOCK_OUT][h][w][BATCH][BLOCK_OUT]        results, of n images of c channels
//   WGT [n/BLOCK_OUT][c/BLOCK_IN][h][w][BLOCK_OUT][BLOCK_IN]  weights of n outputs and c inputs
//   ACC [c/BLOCK_OUT][BATCH][BLOCK_OUT]                       a bias vector, repeated for every image of the batch
//
// A matrix is n images of one pixel: a row each, a channel per column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hw/isa/config.h"

namespace vantage::ops {

// Integers, row by row.
struct Matrix {
  size_t rows = 0;
  size_t cols = 0;
  std::vector<int32_t> values;

  Matrix() = default;
  Matrix(size_t r, size_t c) : rows(r), cols(c), values(r * c) {}
  int32_t& at(size_t r, size_t c) { return values[r * cols + c]; }
  int32_t at(size_t r, size_t c) const { return values[r * cols + c]; }
  bool operator==(const Matrix&) const = default;
};

// Integers [n][c][h][w].
struct Images {
  size_t n = 0, c = 0, h = 0, w = 0;
  std::vector<int32_t> values;

  Images() = default;
  Images(size_t n_, size_t c_, size_t h_, size_t w_) : n(n_), c(c_), h(h_), w(w_), values(n_ * c_ * h_ * w_) {}
  int32_t& at(size_t i, size_t j, size_t y, size_t x) { return values[((i * c + j) * h + y) * w + x]; }
  int32_t at(size_t i, size_t j, size_t y, size_t x) const { return values[((i * c + j) * h + y) * w + x]; }
  bool operator==(const Images&) const = default;
};

Images images_of(const Matrix& matrix);
// Of images of one pixel.
Matrix matrix_of(const Images& images);

// The bytes of a tensor as INP, WGT or ACC elements (ACC: one row, repeated BATCH times). `name` begins the message of
// the Error thrown when a value does not fit the width of its lane.
std::vector<std::byte> pack_tiles(const Matrix& matrix, isa::Memory memory, const isa::Config& config,
                                  std::string_view name);
std::vector<std::byte> pack_tiles(const Images& images, isa::Memory memory, const isa::Config& config,
                                  std::string_view name);

// The inverse for OUT elements: the first rows x cols values, or images of this shape; padding dropped.
Matrix unpack_tiles(const std::vector<std::byte>& bytes, size_t rows, size_t cols, const isa::Config& config);
Images unpack_tiles(const std::vector<std::byte>& bytes, size_t n, size_t c, size_t h, size_t w,
                    const isa::Config& config);

}  // namespace vantage::ops
