// Matrix products on a processor: C = A . B, for every layout of the operands.
//
// The schedule is the classic one: both operands are packed into panels as wide as a register tile, blocks of A stay in
// the second level of cache while panels of B pass by, and a tile of C is summed in registers.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/backend/cpu/target.h"
#include "compiler/ir/prim_func.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// A is [m, k], or [k, m] when transposed; B is [k, n], or [n, k]; C is [m, n]. With `batch` all three have it in front.
// float32 and float16 are summed in float32, int8 in int32, which is then C's type.
struct MatmulShape {
  int64_t m = 1, n = 1, k = 1;
  ir::DType dtype = ir::kFloat32;
  bool transpose_a = false, transpose_b = false;
  std::optional<int64_t> batch = {};

  ir::DType result() const { return dtype == ir::kInt8 ? ir::kInt32 : dtype; }
  // Additions and multiplications.
  int64_t operations() const { return 2 * batch.value_or(1) * m * n * k; }
};

// What is computed, as a formula; parameters A, B, C. Throws Error for sizes below 1 and types not named above.
ir::PrimFunc define_matmul(const MatmulShape& shape);

// How it is computed. All sizes are elements; depths of int8 count words of four.
struct MatmulTiling {
  int64_t tile_m, tile_n;             // what is summed in registers
  int64_t block_m, block_n, block_k;  // what is packed at a time; m and n are multiples of the tile's
};
MatmulTiling choose_matmul_tiling(const MatmulShape& shape, const cpu::Target& target, int threads);

// The same function, scheduled. `threads` is at least 1. Throw Error for a tiling that is none: sizes below 1, blocks
// of m or n that are no whole tiles, one of k that is no multiple of 16.
schedule::Schedule schedule_matmul(const MatmulShape& shape, const MatmulTiling& tiling, const cpu::Target& target,
                                   int threads);
schedule::Schedule schedule_matmul(const MatmulShape& shape, const cpu::Target& target, int threads = 1);

}  // namespace vantage::ops
