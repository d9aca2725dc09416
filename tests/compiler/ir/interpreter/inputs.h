// Any function on copies of its arguments.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/tensor/compare.h"
#include "compiler/ir/interpreter/interpreter.h"

namespace vantage::test {

// The value of a scalar, or an array that is copied in.
using Input = std::variant<int64_t, double, Tensor>;

// Runs a function in the interpreter and returns the inputs with what it wrote. Throws what that throws.
std::vector<Input> run_interpreted(const ir::PrimFunc& function, std::vector<Input> inputs,
                                   const ir::InterpreterOptions& options = {});

// The first difference in any array, in a line; empty when there is none.
std::string first_difference(const ir::PrimFunc& function, const std::vector<Input>& expected,
                             const std::vector<Input>& got, Tolerance tolerance = {});

}  // namespace vantage::test
