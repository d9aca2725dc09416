// Operators on one tensor, element by element: negative, abs, relu, clip, sigmoid, tanh, erf, exp, log, sqrt, rsqrt,
// floor, ceil, round, cast.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> unary_operators();

}  // namespace vantage::ops
