// Random calls of operators, with operands: small shapes, every attribute.
#pragma once

#include <random>
#include <vector>

#include "base/tensor/tensor.h"
#include "compiler/ops/operators.h"

namespace vantage::test {

struct RandomCall {
  const ops::Operator* op;
  ops::OperatorCall call;
  std::vector<Tensor> operands;
};

// Throws InternalError for an operator that it does not know: every one of the list must be drawn here.
RandomCall random_call(const ops::Operator& op, std::mt19937_64& random);

// The call as a function: parameters are the operands, then the outputs.
ir::PrimFunc formula_of(const RandomCall& call);
// What the call makes, by the operator's formula in the reference interpreter.
std::vector<Tensor> by_formula(const RandomCall& call);

// "conv2d(float32[1, 3, 8, 8], float32[4, 3, 3, 3], strides=[2, 2])".
std::string describe(const RandomCall& call);

}  // namespace vantage::test
