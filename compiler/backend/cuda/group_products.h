// The instruction by which a warpgroup multiplies what lies in shared memory, as CUDA C++.
//
// Source: NVIDIA's PTX ISA 9.0, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions" (wgmma).
//
// Thread safety: functions without state.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "compiler/ir/expr.h"

namespace vantage::cuda {

// Sums of 64 x n, to which products of a depth of 32 bytes are added.
struct GroupProduct {
  ir::DType operand;                                // one that tensor cores multiply (tensor_cores.h)
  int64_t n = 0;                                    // a multiple of 8, of 16 for integers, up to 256
  bool a_transposed = false, b_transposed = false;  // as tensor_cores.h has it: A is [m][k] and B [k][n]
  auto operator<=>(const GroupProduct&) const = default;
};
inline constexpr int64_t kGroupRows = 64, kGroupDepthBytes = 32;

// "vt::multiply_group<256, false, true>": what it is called.
std::string call_name(const GroupProduct& product);
// The function of that name, which device/vantage.cuh declares.
std::string to_cuda(const GroupProduct& product);

}  // namespace vantage::cuda
