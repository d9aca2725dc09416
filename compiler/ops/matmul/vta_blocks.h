// Matrix multiply as a VTA program: C = clip((A . W^T + bias) >> shift), blocked to the scratchpads.
//
//   A    [m][k] in INP tiles      W    [n][k] in WGT tiles, a row per output (the transpose of a k x n matrix)
//   bias [n] in ACC tiles         C    [m][n] in OUT tiles            (layouts: tile_layout.h)
//
// Any positive sizes; tiles at the edges are padded with zeros. It is a convolution of m images of one pixel
// (as_conv2d), and compiled as one.
#pragma once

#include <cstdint>

#include "base/shape/matmul.h"
#include "compiler/ops/conv2d/vta_conv2d.h"
#include "compiler/ops/conv2d/vta_schedule.h"

namespace vantage::ops {

// Matrix rows, depth and columns worked on at a time; rounded up to whole tiles.
struct GemmBlocks {
  int64_t m, k, n;
};

// Fills in the sides of `wanted` that are 0: at most `limit`, halved until a block fits the scratchpads, with its
// bias if there is one, and until there are as many blocks of the result as virtual threads, which share blocks and
// scratchpads. Sides that are given stay; if they cannot fit, neither do the result's.
GemmBlocks choose_gemm_blocks(const isa::Config& config, const MatmulShape& shape, bool bias, int virtual_threads,
                              const GemmBlocks& wanted = {0, 0, 0}, const GemmBlocks& limit = {256, 256, 256});

// How many blocks of the result there are: virtual threads beyond them have nothing to do.
int64_t result_blocks(const isa::Config& config, const MatmulShape& shape, const GemmBlocks& blocks);

// Blocks as a tiling: one output block after another, row of blocks by row, dealt to the threads in turn. Throws Error
// for sizes or blocks of 0 or less than one thread.
VtaConv2dTiling gemm_tiling(const isa::Config& config, const MatmulShape& shape, const GemmBlocks& blocks,
                            int virtual_threads = 1);

}  // namespace vantage::ops
