// Norms of rows, whose mean becomes 0 and whose deviation, or size, 1: layer_norm and rms_norm.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> layer_norm_operators();

}  // namespace vantage::ops
