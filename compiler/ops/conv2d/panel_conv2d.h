// panel_conv2d: a convolution whose kernels are panels (compiler/ops/matmul/panels.h).
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

// Kernels [outputs, c, rows, columns] are, as a matrix [outputs, c * rows * columns], packed by pack_panels. A panel is
// a tile's channels; its pixels lie in a row of the result.
Operator panel_conv2d_operator();

}  // namespace vantage::ops
