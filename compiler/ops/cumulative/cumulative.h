// Running sums and products along an axis: cumsum and cumprod.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> cumulative_operators();

}  // namespace vantage::ops
