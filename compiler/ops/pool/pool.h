// Operators that fold windows of images: max_pool2d, avg_pool2d, global_max_pool2d, global_avg_pool2d.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> pool_operators();

}  // namespace vantage::ops
