// conv2d_transpose: every pixel times the kernel, added up where kernels overlap; the gradient of conv2d, and how
// networks make images larger.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

Operator conv2d_transpose_operator();

}  // namespace vantage::ops
