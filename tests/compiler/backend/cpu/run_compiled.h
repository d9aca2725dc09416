// Running compiled functions on the interpreter's arrays, between guard pages.
#pragma once

#include <vector>

#include "compiler/backend/cpu/jit.h"
#include "tests/compiler/ir/interpreter/inputs.h"

namespace vantage::test {

// Compiled with AddressSanitizer in it where this program has its runtime, so that temporary values are watched too.
cpu::Options checked_options();

// Runs a function and returns the inputs with what it wrote. Fails the test when it wrote outside of an array.
std::vector<Input> run_compiled(const native::Function& function, std::vector<Input> inputs,
                                const vantage_runtime* runtime = nullptr);

// The function with its buffer parameters changed: `change` is called with each and makes what stands in its place.
ir::PrimFunc with_params(ir::PrimFunc function, const std::function<void(ir::BufferNode&)>& change);

}  // namespace vantage::test
