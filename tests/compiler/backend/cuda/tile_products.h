// Products that tests have tensor cores make.
#pragma once

#include <string>
#include <vector>

#include "compiler/backend/cuda/kernel.h"
#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/schedule/schedule.h"
#include "tests/compiler/schedule/random_te.h"

namespace vantage::test {

struct Sizes {
  int64_t m, n, k;
};

// A function of A, B and C, which is computed by the block C. `out`: the type of the result; where it is not that of
// the sums they are rounded at the end, to D.
ir::PrimFunc matmul(const Sizes& sizes, const cuda::TileProduct& p, DType out, const std::string& name);

// A function and its schedule.
struct ScheduledProduct {
  ir::PrimFunc function;
  schedule::Schedule schedule;
};
// Checks that the interpreter, a processor, and a GPU if there is one, make of the kernels what plain loops make of the
// functions, whose names differ; returns the kernels.
std::vector<cuda::Module> check_products(const std::vector<ScheduledProduct>& all);

// Arguments of small whole numbers, whose sums are exact in any order.
std::vector<Tensor> small_arrays(const ir::PrimFunc& function);

}  // namespace vantage::test
