// 2D convolution and matrix multiply for the VTA, defined in tiles.
//
//   A    [batch][ic][h][w] in INP tiles (BATCH x BLOCK_IN)       W    [oc][ic][kh][kw] in WGT tiles
//   bias [oc] in ACC tiles                                       C    [batch][oc][oh][ow] in OUT tiles
//
// Channels and batch count tiles; what does not fill one is padded with zeros (tile_layout.h).
#pragma once

#include "compiler/ops/epilogue.h"
#include "compiler/tir/prim_func.h"
#include "hw/spec/config.h"

namespace vantage::compiler {

// In elements, not tiles.
struct Conv2dShape {
  int64_t batch = 1;
  int64_t in_channels = 1, height = 1, width = 1;
  int64_t out_channels = 1, kernel_h = 1, kernel_w = 1;
  int64_t stride = 1, pad = 0;

  // Rows of the input that no kernel reaches are not loaded: where kernels are one row high and step further, and
  // nothing is padded. Columns of these rows need not be either where kernels are one pixel.
  bool skips_rows() const { return kernel_h == 1 && stride > 1 && pad == 0; }
  bool skips_pixels() const { return skips_rows() && kernel_w == 1; }
  int64_t out_height() const { return (height + 2 * pad - kernel_h) / stride + 1; }
  int64_t out_width() const { return (width + 2 * pad - kernel_w) / stride + 1; }
  bool operator==(const Conv2dShape&) const = default;
};

// An m x k by k x n product is a convolution of m images of one pixel: A is [m][k], W [n][k], C [m][n] in tiles.
Conv2dShape dense_shape(int64_t m, int64_t k, int64_t n);

// The function "conv2d" with parameters A, W, bias (if any) and C. Throws Error for sizes below 1 or a kernel larger
// than its padded input.
tir::PrimFunc conv2d(const Conv2dShape& shape, const Epilogue& epilogue, const spec::Config& config);

}  // namespace vantage::compiler
