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

// Matrix rows, depth and columns worked on at a time; rounded up to whole tiles.
struct GemmBlocks {
  uint64_t m, k, n;
};

struct GemmProblem {
  uint64_t m, k, n;
  bool bias = false;  // the program then has a tensor "bias"
  int shift = 0;      // arithmetic right shift, 0 to 31; 0 emits none
  int clip_min = 0;   // 16 bits, as is clip_max
  int clip_max = 127;
  int virtual_threads = 1;
};

// Fills in the sides of `wanted` that are 0: at most `limit`, halved until a block fits the scratchpads, which the
// virtual threads share. Sides that are given stay; if they cannot fit, neither do the result's.
GemmBlocks choose_gemm_blocks(const spec::Config& config, const GemmProblem& problem, const GemmBlocks& wanted,
                              const GemmBlocks& limit = {256, 256, 256});

// Tensors "A", "B", "C" and, with a bias, "bias". Throws Error when the blocks do not fit, when a size, block or number
// of threads is 0, or when shift or clip do not fit an immediate.
Program build_gemm(const spec::Config& config, const GemmProblem& problem, const GemmBlocks& blocks);

}  // namespace vantage::compiler
