// Operators that move elements and compute none: reshape, transpose, pad, concatenate, split, slice.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> movement_operators();

}  // namespace vantage::ops
