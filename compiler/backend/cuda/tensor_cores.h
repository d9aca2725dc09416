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
//   s.tensorize(i2, "tile.f16.product");
//
// Source of the tiles' sizes and layouts: NVIDIA's PTX ISA 9.0, "Matrix multiply-accumulate operation using mma
// instruction" and "ldmatrix". They are of sm_80 and later; sm_75 does a product in two steps.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/intrinsic.h"

namespace vantage::cuda {

// C[m][n] += A[m][k] * B[k][n], or B[n][k]: the types of A and B, and of C.
struct TileProduct {
  std::string name;  // "tile.f16"
  ir::DType operand, sum;
  int64_t m, n, k;
  bool b_transposed;

  std::vector<int64_t> b_shape() const {
    return b_transposed ? std::vector<int64_t>{n, k} : std::vector<int64_t>{k, n};
  }
};
const std::vector<TileProduct>& tile_products();

// For each product: NAME.load_a and NAME.load_b, NAME.product (which resets and updates) and NAME.store; and
// NAME.store_half, which rounds sums to float16.
schedule::Intrinsics tensor_core_intrinsics();

// The calls.
inline constexpr std::string_view kLoadTileA = "cuda.load_tile_a", kLoadTileB = "cuda.load_tile_b",
                                  kLoadTileBTransposed = "cuda.load_tile_b_transposed", kFillTile = "cuda.fill_tile",
                                  kMultiplyTiles = "cuda.multiply_tiles", kStoreTile = "cuda.store_tile";
bool is_tile_call(const ir::Stmt& stmt);

inline constexpr int64_t kWarpThreads = 32;

}  // namespace vantage::cuda
