// The processor's int8 dot-product peak, measured: the bound for GEMM steps.
#pragma once

#include <cstdint>

namespace vantage::bench {

// Runs `iterations` rounds of independent dot products that live in registers alone, with the widest int8 (or, without
// such an instruction, int16) multiply-accumulate that this processor has. Returns the multiply-accumulates done.
// `sink` keeps the compiler from dropping the work.
uint64_t run_dot_products(uint64_t iterations, int32_t& sink);

// "AVX-512 VNNI", "int16 pairs", ...
const char* dot_product_kind();

}  // namespace vantage::bench
