// The sizes of a 2D convolution, whatever computes it.
#pragma once

#include <cstdint>
#include <string>

#include "base/shape/matmul.h"

namespace vantage {

// A number for rows and one for columns; one number alone stands for both.
struct PerAxis {
  int64_t rows, columns;

  constexpr PerAxis(int64_t both) : rows(both), columns(both) {}  // NOLINT: written as a number
  constexpr PerAxis(int64_t of_rows, int64_t of_columns) : rows(of_rows), columns(of_columns) {}
  bool operator==(const PerAxis&) const = default;
};
std::string to_string(const PerAxis& both);  // "2", "2x1"

// Zeros around an image; one number alone stands for all four sides.
struct Border {
  int64_t top, left, bottom, right;

  constexpr Border(int64_t all) : top(all), left(all), bottom(all), right(all) {}  // NOLINT: written as a number
  constexpr Border(int64_t of_top, int64_t of_left, int64_t of_bottom, int64_t of_right)
      : top(of_top), left(of_left), bottom(of_bottom), right(of_right) {}
  bool any() const { return top != 0 || left != 0 || bottom != 0 || right != 0; }
  bool is_even() const { return top == left && top == bottom && top == right; }
  bool operator==(const Border&) const = default;
};
std::string to_string(const Border& border);  // "1", "0,1,2,1"

// In elements.
struct Conv2dShape {
  int64_t batch = 1;
  int64_t in_channels = 1, height = 1, width = 1;
  int64_t out_channels = 1, kernel_h = 1, kernel_w = 1;
  PerAxis stride = 1;
  Border pad = 0;
  PerAxis dilation = 1;  // how far apart neighbours of the kernel are
  // As many channels come out as go in, and of these each tile of an accelerator's makes the tile of its number alone:
  // depthwise, and in groups that fill tiles.
  bool channelwise = false;

  // Rows of the input that no kernel reaches are not loaded: where kernels are one row high and step further, and
  // nothing is padded. Columns of these rows need not be either where kernels are one pixel.
  bool skips_rows() const { return kernel_h == 1 && stride.rows > 1 && !pad.any(); }
  bool skips_pixels() const { return skips_rows() && kernel_w == 1 && stride.columns > 1; }
  // A matrix product: a row is an image of one pixel, all of its channels beside each other.
  bool is_product() const { return height == 1 && width == 1 && !pad.any(); }
  // Of the image with its border, and what the kernel covers of it at once.
  int64_t padded_height() const { return height + pad.top + pad.bottom; }
  int64_t padded_width() const { return width + pad.left + pad.right; }
  int64_t reach_h() const { return (kernel_h - 1) * dilation.rows + 1; }
  int64_t reach_w() const { return (kernel_w - 1) * dilation.columns + 1; }
  int64_t out_height() const { return (padded_height() - reach_h()) / stride.rows + 1; }
  int64_t out_width() const { return (padded_width() - reach_w()) / stride.columns + 1; }
  // Whether both axes step alike, with as much of a border on all sides, and kernels have no gaps.
  bool is_plain() const { return stride.rows == stride.columns && pad.is_even() && dilation == PerAxis(1); }
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
