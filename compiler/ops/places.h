// Indices that tensors hold: counted from either end of an axis, and never beyond it.
//
// Thread safety: functions without state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/tensor/type.h"
#include "compiler/te/te.h"

namespace vantage::ops {

// -1 is the last one; what is beyond an end is that end, so that no index reads what is none of the tensor's.
inline int64_t place(int64_t index, int64_t extent) {
  return std::clamp<int64_t>(index < 0 ? index + extent : index, 0, extent - 1);
}
inline te::Expr place(const te::Expr& index, int64_t extent) {
  const auto number = [&](int64_t value) { return ir::make_int(index.dtype(), value); };
  // Cut before it is made narrower: what a wide index would wrap to is another place.
  const te::Expr low = ir::max(index, number(-extent)), both = ir::min(low, number(extent - 1));
  const te::Expr at = ir::cast(ir::kIndex, both);
  return ir::if_then_else(at < 0, at + extent, at);
}

// Throws Error unless these are indices.
inline void require_indices(const TensorType& type, std::string_view name) {
  if (type.dtype != kInt32 && type.dtype != kInt64) fail("{} is {}, expected int32 or int64", name, describe(type));
}

}  // namespace vantage::ops
