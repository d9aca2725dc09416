// The tensor cores of a GPU as intrinsics: products of small tiles, which the 32 threads of a warp hold in their
// registers together.
//
// A tile is the last two dimensions of a buffer of scope "warp". Only these intrinsics touch it: loads bring a tile
// there from shared memory, a fill sets it to 0, a product adds to it, a store takes it elsewhere. Which thread has
// which element is the hardware's affair and does not show. In a schedule no loop around them is bound to threadIdx.x:
// a warp does them once, whose threads are those of this index, and so there must be 32 of it; loops of several warps
// are bound to threadIdx.y and .z.
//
//   Schedule s(matmul, cuda::tensor_core_intrinsics());
//   s.tensorize(i2, "tile.f16_nn.product");
//
// Source of the tiles' sizes and layouts: NVIDIA's PTX ISA 9.0, "Matrix multiply-accumulate operation using mma
// instruction" and "ldmatrix". They are of sm_80 and later; sm_75 does a product in two steps.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/schedule/intrinsic.h"

namespace vantage::cuda {

// C[m][n] += A[m][k] * B[k][n], where either may be given with its sides swapped; the types of A and B, and of C.
struct TileProduct {
  std::string name;  // "tile.f16_nt": A as it is, and B transposed
  ir::DType operand, sum;
  int64_t m, n, k;
  bool a_transposed, b_transposed;
  bool by_group = false;  // the product of a warpgroup, whose sides lie in shared memory

  std::vector<int64_t> a_shape() const {
    return a_transposed ? std::vector<int64_t>{k, m} : std::vector<int64_t>{m, k};
  }
  std::vector<int64_t> b_shape() const {
    return b_transposed ? std::vector<int64_t>{n, k} : std::vector<int64_t>{k, n};
  }
};
const std::vector<TileProduct>& tile_products();

// For each product: NAME.load_a and NAME.load_b, NAME.product (which resets and updates) and NAME.store; and
// NAME.store_half, which rounds sums to float16.
schedule::Intrinsics tensor_core_intrinsics();

}  // namespace vantage::cuda
