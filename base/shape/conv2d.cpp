#include "base/shape/conv2d.h"

#include <fmt/format.h>

#include "base/error.h"

namespace vantage {

std::string to_string(const PerAxis& both) {
  if (both.rows == both.columns) return std::to_string(both.rows);
  return fmt::format("{}x{}", both.rows, both.columns);
}

std::string to_string(const Border& border) {
  if (border.is_even()) return std::to_string(border.top);
  return fmt::format("{},{},{},{}", border.top, border.left, border.bottom, border.right);
}

Conv2dShape as_conv2d(const MatmulShape& shape) {
  VANTAGE_CHECK(!shape.batch);
  return {.batch = shape.m, .in_channels = shape.k, .out_channels = shape.n};
}

void check_conv2d_shape(const Conv2dShape& s) {
  for (int64_t size : {s.batch, s.in_channels, s.height, s.width, s.out_channels, s.kernel_h, s.kernel_w, s.stride.rows,
                       s.stride.columns, s.dilation.rows, s.dilation.columns}) {
    if (size < 1) fail("a convolution has a size of {}, expected at least 1", size);
  }
  for (const int64_t side : {s.pad.top, s.pad.left, s.pad.bottom, s.pad.right}) {
    if (side < 0) fail("a convolution is padded by {}, expected at least 0", side);
  }
  if (s.reach_h() > s.padded_height() || s.reach_w() > s.padded_width()) {
    fail("the {} x {} kernel is larger than its {} x {} input with {} around", s.reach_h(), s.reach_w(), s.height,
         s.width, to_string(s.pad));
  }
}

}  // namespace vantage
