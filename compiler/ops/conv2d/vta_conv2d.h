// 2D convolution and matrix multiply for the VTA, defined in tiles.
//
//   A    [batch][ic][h][w] in INP tiles (BATCH x BLOCK_IN)       W    [oc][ic][kh][kw] in WGT tiles
//   bias [oc] in ACC tiles                                       C    [batch][oc][oh][ow] in OUT tiles
//
// Channels and batch count tiles; what does not fill one is padded with zeros (tile_layout.h).
#pragma once

#include "compiler/ir/prim_func.h"
#include "compiler/ops/conv2d/shape.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// An m x k by k x n product is a convolution of m images of one pixel: A is [m][k], W [n][k], C [m][n] in tiles.
Conv2dShape dense_shape(int64_t m, int64_t k, int64_t n);

// The function "conv2d" with parameters A, W, bias (if any) and C. Throws Error for sizes below 1 or a kernel larger
// than its padded input.
ir::PrimFunc conv2d(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config);

}  // namespace vantage::ops
