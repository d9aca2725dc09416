// Matrix products on a processor: C = A . B, for every layout of the operands.
//
// The schedule is the classic one: both operands are packed into panels as wide as a register tile, blocks of A stay in
// the second level of cache while panels of B pass by, and a tile of C is summed in registers.
#pragma once

#include <cstdint>

#include "base/shape/matmul.h"
#include "compiler/backend/cpu/target.h"
#include "compiler/ir/prim_func.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// What is computed, as a formula; parameters A, B, C. Throws Error for sizes below 1 and types not named above.
ir::PrimFunc cpu_matmul(const MatmulShape& shape);

// How it is computed. All sizes are elements; depths of int8 count words of four.
struct CpuMatmulTiling {
  int64_t tile_m, tile_n;             // what is summed in registers
  int64_t block_m, block_n, block_k;  // what is packed at a time; m and n are multiples of the tile's
};
CpuMatmulTiling choose_cpu_matmul_tiling(const MatmulShape& shape, const cpu::Target& target, int threads);

// The same function, scheduled. `threads` is at least 1. Throw Error for a tiling that is none: sizes below 1, blocks
// of m or n that are no whole tiles, one of k that is no multiple of 16.
schedule::Schedule schedule_cpu_matmul(const MatmulShape& shape, const CpuMatmulTiling& tiling,
                                       const cpu::Target& target, int threads);
schedule::Schedule schedule_cpu_matmul(const MatmulShape& shape, const cpu::Target& target, int threads = 1);

}  // namespace vantage::ops
