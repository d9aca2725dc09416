// conv2d, in every form: kernels of any sides, padding of every side by itself, strides, dilation, groups of channels
// (as many as there are channels: depthwise), and a bias.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

Operator conv2d_operator();

}  // namespace vantage::ops
