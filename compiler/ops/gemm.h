// Matrix multiply as a VTA program: C = clip((A . B^T + bias) >> shift), blocked to the scratchpads.
//
//   A    [m][k] in INP tiles      B    [n][k] in WGT tiles, a row per output (the transpose of a k x n matrix)
//   bias [n] in ACC tiles         C    [m][n] in OUT tiles            (layouts: tile_layout.h)
//
// Any positive sizes; tiles at the edges are padded with zeros.
#pragma once

#include <cstdint>

#include "hw/spec/program.h"

namespace vantage::compiler {

struct GemmBlocks {
  uint64_t m, k, n;  // matrix rows, depth and columns worked on at a time; rounded up to whole tiles
};

struct GemmProblem {
  uint64_t m, k, n;
  bool bias = false;  // the program then has a tensor "bias"
  int shift = 0;      // arithmetic right shift; 0 emits none
  int clip_min = 0;
  int clip_max = 127;
  int virtual_threads = 1;
};

// Blocks of at most `limit` that fit the scratchpads, shared by the virtual threads; as large as halving finds them.
// Throws Error when not even single tiles fit.
GemmBlocks choose_gemm_blocks(const spec::Config& config, const GemmProblem& problem, const GemmBlocks& limit);

// Tensors "A", "B", "C" and, with a bias, "bias". Throws Error when the blocks do not fit.
Program build_gemm(const spec::Config& config, const GemmProblem& problem, const GemmBlocks& blocks);

}  // namespace vantage::compiler
