// The loop nest of GEMM and ALU instructions: for it_out, for it_in, for every micro-op, innermost last; of a part of
// it.
//
// Always inlined: a vector kernel's step is compiled for one instruction set, and can melt into the loop only where
// the loop is compiled for the same.
#pragma once

#include <cstdint>

#include "sim/functional/kernels.h"

namespace vantage::sim {

// step(dst, src, wgt) with scratchpad indices.
template <typename Step>
[[gnu::always_inline]] inline void for_each_gemm_step(const GemmLoop& g, Step step) {
  const isa::Loop& loop = g.loop;
  for (uint64_t out = g.part.out_begin; out < g.part.out_end; ++out) {
    for (uint64_t in = g.part.in_begin; in < g.part.in_end; ++in) {
      const uint64_t dst = out * loop.dst_factor_out + in * loop.dst_factor_in;
      const uint64_t src = out * loop.src_factor_out + in * loop.src_factor_in;
      const uint64_t wgt = out * g.wgt_factor_out + in * g.wgt_factor_in;
      for (const isa::MicroOp& uop : g.uops) step(dst + uop.dst, src + uop.src, wgt + uop.wgt);
    }
  }
}

// step(dst, src) with scratchpad indices.
template <typename Step>
[[gnu::always_inline]] inline void for_each_alu_step(const AluLoop& a, Step step) {
  const isa::Loop& loop = a.loop;
  for (uint64_t out = a.part.out_begin; out < a.part.out_end; ++out) {
    for (uint64_t in = a.part.in_begin; in < a.part.in_end; ++in) {
      const uint64_t dst = out * loop.dst_factor_out + in * loop.dst_factor_in;
      const uint64_t src = out * loop.src_factor_out + in * loop.src_factor_in;
      for (const isa::MicroOp& uop : a.uops) step(dst + uop.dst, src + uop.src);
    }
  }
}

}  // namespace vantage::sim
