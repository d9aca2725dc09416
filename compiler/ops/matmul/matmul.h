// matmul, of stacks of matrices in every transposition, and dense, a matrix product with weights and a bias.
#pragma once

#include <vector>

#include "compiler/ops/operator.h"

namespace vantage::ops {

std::vector<Operator> matmul_operators();

}  // namespace vantage::ops
