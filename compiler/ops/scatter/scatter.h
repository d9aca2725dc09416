// Operators that put elements where indices say which come at run time: scatter_elements, one by one; scatter_nd, by
// several indices each. An index below 0 counts from the end.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> scatter_operators();

}  // namespace vantage::ops
