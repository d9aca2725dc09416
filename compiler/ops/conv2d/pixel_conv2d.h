// pixel_conv2d: a convolution as a product of matrices, whose columns are pixels: what GPUs make tiles of.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

// Kernels are [rows, columns, c, outputs], so that outputs, which a tile has many of, are neighbours in memory. Columns
// are the pixels of all images' results, one after another, filled up to whole tiles of `pixels`: an image's rows need
// not be as long as a tile. What they are multiplied with, the pixels that kernels see, is a formula of the image.
Operator pixel_conv2d_operator();

// What suits a GPU's tiles, of all the pixels of a result.
int64_t pixels_of_tile(int64_t pixels);

}  // namespace vantage::ops
