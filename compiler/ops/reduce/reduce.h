// Operators that fold elements along axes: sum, mean, max, min, prod, argmax.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> reduce_operators();

}  // namespace vantage::ops
