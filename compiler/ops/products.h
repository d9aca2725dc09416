// Sums of products: what the elements of both sides may be, and what they are added up in.
//
// Thread safety: functions without state.
#pragma once

#include "base/tensor/type.h"
#include "compiler/ops/attributes.h"

namespace vantage::ops {

// "dtype": that of the sums.
AttributeField sums_field();
// Of sums of products of elements of these types: what the call asks for, else int32 of integers and the same float of
// floats. Throws Error for two types, for bool, and for sums of another kind or of fewer bits.
DType sums_type(const Attributes& attributes, const TensorType& a, const TensorType& b);
// Throws Error unless it is [channels] of the sums' type.
void require_bias(const TensorType& bias, int64_t channels, DType sums);

}  // namespace vantage::ops
