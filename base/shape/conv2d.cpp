#include "base/shape/conv2d.h"

#include "base/error.h"

namespace vantage {

Conv2dShape as_conv2d(const MatmulShape& shape) {
  VANTAGE_CHECK(!shape.batch);
  return {.batch = shape.m, .in_channels = shape.k, .out_channels = shape.n};
}

void check_conv2d_shape(const Conv2dShape& s) {
  for (int64_t size : {s.batch, s.in_channels, s.height, s.width, s.out_channels, s.kernel_h, s.kernel_w, s.stride}) {
    if (size < 1) fail("a convolution has a size of {}, expected at least 1", size);
  }
  if (s.pad < 0) fail("a convolution is padded by {}, expected at least 0", s.pad);
  if (s.kernel_h > s.height + 2 * s.pad || s.kernel_w > s.width + 2 * s.pad) {
    fail("the {} x {} kernel is larger than its {} x {} input with {} around", s.kernel_h, s.kernel_w, s.height,
         s.width, s.pad);
  }
}

}  // namespace vantage
