// Random functions made of tensor expressions, small enough to be interpreted thousands of times.
#pragma once

#include <random>

#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/te/te.h"

namespace vantage::test {

// A few placeholders and a chain of computations on them: elementwise, padded, windowed, transposed, reduced, matrix
// products; integers, so that every order of a sum gives the same.
ir::PrimFunc random_te_function(std::mt19937_64& random);

// Arrays for a function's parameters, in order, filled with random values; sizes must be constant.
std::vector<vantage::Tensor> random_arrays(const ir::PrimFunc& function, std::mt19937_64& random);

// Runs a function on copies of the arrays and returns them as they are afterwards.
std::vector<vantage::Tensor> run(const ir::PrimFunc& function, std::vector<vantage::Tensor> arrays,
                                 const ir::InterpreterOptions& options = {});

// The first difference in any array, in a line; empty when there is none.
std::string first_difference(const ir::PrimFunc& function, const std::vector<vantage::Tensor>& expected,
                             const std::vector<vantage::Tensor>& got);

}  // namespace vantage::test
