// 2D convolution and matrix multiply for the VTA, defined in tiles.
//
//   A    [batch][ic][h][w] in INP tiles (BATCH x BLOCK_IN)       W    [oc][ic][kh][kw] in WGT tiles
//   bias, multipliers [oc] in ACC tiles                          C    [batch][oc][oh][ow] in OUT tiles
//   addend [batch][oc][oh][ow] in ACC8 tiles
//
// A matrix product is a convolution of images of one pixel (as_conv2d): A is [m][k], W [n][k], C [m][n] in tiles.
//
// Channels and batch count tiles; what does not fill one is padded with zeros (tile_layout.h).
#pragma once

#include "base/shape/conv2d.h"
#include "compiler/ir/prim_func.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// The function "conv2d" with parameters A, W, bias, multipliers and addend (as far as there are any) and C. Throws
// Error for sizes below 1 or a kernel larger than its padded input.
ir::PrimFunc vta_conv2d(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config);
// The same for a box of the output alone, of which C holds nothing else. REQUIRES: it holds something.
ir::PrimFunc vta_conv2d_part(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                             const VtaConv2dPart& part);

}  // namespace vantage::ops
