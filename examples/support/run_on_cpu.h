// Compiling and running a function on this machine's processor, for tutorials.
#pragma once

#include <map>
#include <string>

#include "base/tensor/tensor.h"
#include "compiler/ir/prim_func.h"

namespace vantage::examples {

// Arrays for all parameters, in order.
using Arrays = std::vector<vantage::Tensor>;

// Small whole numbers for a function's parameters: floats of these add up without rounding, so results are equal
// whatever the order of a sum.
Arrays small_numbers(const ir::PrimFunc& function, uint64_t seed = 1);

struct CpuRun {
  Arrays arrays;        // as the function left them
  double milliseconds;  // the best of several runs
};

// Compiles for the processor at hand and runs on so many threads.
CpuRun run_on_cpu(const ir::PrimFunc& function, const Arrays& arrays, int threads = 1, int runs = 5);

}  // namespace vantage::examples
