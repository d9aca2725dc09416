// Means, of floats by division and of integers by the nearest one, halves up: what averages of quantized values are.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/ops/wrapping.h"
#include "compiler/te/te.h"

namespace vantage::ops {

// What sums of elements of a type are kept in: int32 of smaller integers and float32 of smaller floats, else the type.
inline ir::DType type_of_sums(ir::DType dtype) {
  if (dtype.is_narrow_float()) return ir::kFloat32;
  return dtype.is_int() && dtype.bits() < 32 ? ir::kInt32 : dtype;
}

// floor((2 * sum + count) / (2 * count)).
inline int64_t nearest_quotient(int64_t sum, int64_t count) {
  const int64_t above = wrapping_sum(wrapping_sum(sum, sum), count), below = 2 * count;
  return above / below - (above % below < 0 ? 1 : 0);
}

// The same as a formula, cast to `dtype`; of floats the quotient.
inline ir::Expr quotient(const ir::Expr& sum, const ir::Expr& count, ir::DType dtype) {
  if (sum.dtype().is_float()) return ir::cast(dtype, sum / count);
  return ir::cast(dtype,
                  ir::floor_div(sum * ir::make_int(sum.dtype(), 2) + count, count * ir::make_int(count.dtype(), 2)));
}

}  // namespace vantage::ops
