// How matrices lie in DRAM: cut into the tiles of the GEMM core, zero-padded to whole tiles, each tile one element of
// its memory type (docs/isa.md section 1), lanes packed at their width, little-endian.
//
//   INP [rows/BATCH][cols/BLOCK_IN][BATCH][BLOCK_IN]        activations, and
//   OUT [rows/BATCH][cols/BLOCK_OUT][BATCH][BLOCK_OUT]      results
//   WGT [rows/BLOCK_OUT][cols/BLOCK_IN][BLOCK_OUT][BLOCK_IN] weights: a row per output, a column per input
//   ACC [cols/BLOCK_OUT][BATCH][BLOCK_OUT]                  a bias vector, repeated for every row of the batch
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hw/spec/config.h"

namespace vantage::compiler {

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

inline size_t ceil_div(size_t a, size_t b) {
  return (a + b - 1) / b;
}

// The bytes of a matrix as INP, WGT or ACC elements (ACC: one row, repeated BATCH times). `name` begins the message of
// the Error thrown when a value does not fit the width of its lane.
std::vector<std::byte> pack_tiles(const Matrix& matrix, isa::Memory memory, const spec::Config& config,
                                  std::string_view name);

// The inverse for OUT elements: the first rows x cols values, padding dropped.
Matrix unpack_tiles(const std::vector<std::byte>& bytes, size_t rows, size_t cols, const spec::Config& config);

}  // namespace vantage::compiler
