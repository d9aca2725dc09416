// Operators that combine two tensors element by element, broadcast as in NumPy: add, subtract, multiply, divide,
// maximum, minimum, power, shifts and comparisons; and where, which chooses between two.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> binary_operators();

}  // namespace vantage::ops
