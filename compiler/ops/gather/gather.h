// Operators that pick elements by indices which come at run time: gather, of whole rows; gather_elements, one by one;
// gather_nd, by several indices each. An index below 0 counts from the end.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> gather_operators();

}  // namespace vantage::ops
