// The tensor cores of a GPU as intrinsics: products of small tiles, which the 32 threads of a warp hold in their
// registers together.
//
// A tile is the last two dimensions of a buffer of scope "warp". Only these intrinsics touch it: loads bring a tile
// there from shared memory, a fill sets it to 0, a product adds to it, a store takes it elsewhere. Which thread has
// which element is the hardware's affair and does not show. In a schedule no loop around them is bound to threadIdx.x:
// a warp does them once, whose threads are those of this index, and so there must be 32 of it; loops of several warps
// are bound to threadIdx.y and .z.
//
//   Schedule s(matmul, cuda::tensor_core_intrinsics(kFloat16));
//   s.tensorize(i2, "tile.f16_nn.product");
//
// Source of the tiles' sizes and layouts: NVIDIA's PTX ISA 9.0, "Matrix multiply-accumulate operation using mma
// instruction" and "ldmatrix". They are of sm_80 and later; sm_75 does a product in several steps, and none of
// bfloat16.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/schedule/intrinsic.h"

namespace vantage::cuda {

// What tensor cores multiply, and what they add the products up in.
struct TensorCoreType {
  std::string_view name;  // "f16", as PTX has it but for "i8"
  ir::DType operand, sum;
  bool in_any_order;  // either side may be transposed; otherwise B is, and A is not
  int capability;     // the least of an architecture that has it
};
const std::vector<TensorCoreType>& tensor_core_types();
// Null: they do not multiply it.
const TensorCoreType* find_tensor_core_type(ir::DType operand);

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

// For each product of operands of a type: NAME.load_a and NAME.load_b, NAME.product (which resets and updates) and
// NAME.store; and of floats NAME.store_half, which rounds sums to the 16 bits of the operands. None where tensor cores
// do not multiply it. They are made once, and checked then, which takes a while: those of one product less.
schedule::Intrinsics tensor_core_intrinsics(ir::DType operand);
schedule::Intrinsics tensor_core_intrinsics(const TileProduct& product);
// The product of this name. Throws Error where there is none.
const TileProduct& find_tile_product(std::string_view name);

}  // namespace vantage::cuda
