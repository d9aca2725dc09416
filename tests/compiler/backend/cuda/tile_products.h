// Products that tests have tensor cores make.
#pragma once

#include <string>
#include <vector>

#include "compiler/backend/cuda/tensor_cores.h"
#include "tests/compiler/schedule/random_te.h"

namespace vantage::test {

struct Sizes {
  int64_t m, n, k;
};

// A function of A, B and C, which is computed by the block C. `out`: the type of the result; where it is not that of
// the sums they are rounded at the end, to D.
ir::PrimFunc matmul(const Sizes& sizes, const cuda::TileProduct& p, DType out, const std::string& name);

// Arguments of small whole numbers, whose sums are exact in any order.
std::vector<Tensor> small_arrays(const ir::PrimFunc& function);

}  // namespace vantage::test
