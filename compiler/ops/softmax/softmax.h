// softmax and log_softmax.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> softmax_operators();

}  // namespace vantage::ops
