// im2col: what a kernel sees at each of its places, as channels; a convolution becomes a product of these with its
// weights.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

Operator im2col_operator();

}  // namespace vantage::ops
