// The sizes of a 2D convolution, whatever computes it.
#pragma once

#include <cstdint>

#include "base/shape/matmul.h"

namespace vantage {

// In elements.
struct Conv2dShape {
  int64_t batch = 1;
  int64_t in_channels = 1, height = 1, width = 1;
  int64_t out_channels = 1, kernel_h = 1, kernel_w = 1;
  int64_t stride = 1, pad = 0;
  // As many channels come out as go in, and of these each tile of an accelerator's makes the tile of its number alone:
  // depthwise, and in groups that fill tiles.
  bool channelwise = false;

  // Rows of the input that no kernel reaches are not loaded: where kernels are one row high and step further, and
  // nothing is padded. Columns of these rows need not be either where kernels are one pixel.
  bool skips_rows() const { return kernel_h == 1 && stride > 1 && pad == 0; }
  bool skips_pixels() const { return skips_rows() && kernel_w == 1; }
  int64_t out_height() const { return (height + 2 * pad - kernel_h) / stride + 1; }
  int64_t out_width() const { return (width + 2 * pad - kernel_w) / stride + 1; }
  // Additions and multiplications of one with every channel connected to every other.
  int64_t operations() const {
    return 2 * batch * out_height() * out_width() * out_channels * in_channels * kernel_h * kernel_w;
  }
  bool operator==(const Conv2dShape&) const = default;
};

// An m x k by k x n product is a convolution of m images of one pixel. REQUIRES: one without a batch.
Conv2dShape as_conv2d(const MatmulShape& shape);

// Throws Error for sizes below 1 or a kernel larger than its padded input.
void check_conv2d_shape(const Conv2dShape& shape);

}  // namespace vantage
