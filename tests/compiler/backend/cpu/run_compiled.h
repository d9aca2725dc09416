// Running compiled functions on the interpreter's arrays, between guard pages.
#pragma once

#include <string>
#include <vector>

#include "base/tensor/compare.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/ir/interpreter/interpreter.h"

namespace vantage::test {

// Compiled with AddressSanitizer in it where this program has its runtime, so that temporary values are watched too.
cpu::Options checked_options();

// The value of a scalar, or an array that is copied in.
using Input = std::variant<int64_t, double, Tensor>;

// Runs a function and returns the inputs with what it wrote. Fails the test when it wrote outside of an array.
std::vector<Input> run_compiled(const native::Function& function, std::vector<Input> inputs,
                                const vantage_runtime* runtime = nullptr);
// The same in the interpreter. Throws what that throws.
std::vector<Input> run_interpreted(const ir::PrimFunc& function, std::vector<Input> inputs,
                                   const ir::InterpreterOptions& options = {});

// The first difference in any array, in a line; empty when there is none.
std::string first_difference(const ir::PrimFunc& function, const std::vector<Input>& expected,
                             const std::vector<Input>& got, Tolerance tolerance = {});

// The function with its buffer parameters changed: `change` is called with each and makes what stands in its place.
ir::PrimFunc with_params(ir::PrimFunc function, const std::function<void(ir::BufferNode&)>& change);

}  // namespace vantage::test
