// Random functions made of tensor expressions, small enough to be interpreted thousands of times.
#pragma once

#include <random>

#include "compiler/te/te.h"
#include "compiler/tir/interpreter/interpreter.h"

namespace vantage::test {

// A few placeholders and a chain of computations on them: elementwise, padded, windowed, transposed, reduced, matrix
// products; integers, so that every order of a sum gives the same.
tir::PrimFunc random_te_function(std::mt19937_64& random);

// Arrays for a function's parameters, in order, filled with random values; sizes must be constant.
std::vector<tir::Array> random_arrays(const tir::PrimFunc& function, std::mt19937_64& random);

// Runs a function on copies of the arrays and returns them as they are afterwards.
std::vector<tir::Array> run(const tir::PrimFunc& function, std::vector<tir::Array> arrays,
                            const tir::InterpreterOptions& options = {});

// The first difference in any array, in a line; empty when there is none.
std::string first_difference(const tir::PrimFunc& function, const std::vector<tir::Array>& expected,
                             const std::vector<tir::Array>& got);

}  // namespace vantage::test
