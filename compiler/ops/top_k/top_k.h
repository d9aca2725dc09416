// The first of elements that are sorted, and where they are.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

Operator top_k_operator();

}  // namespace vantage::ops
