// The scalar types of expressions are those of tensors.
#pragma once

#include "base/tensor/dtype.h"

namespace vantage::ir {

using vantage::convert;
using vantage::DType;
using vantage::from_bfloat16;
using vantage::from_half;
using vantage::kBFloat16;
using vantage::kBool;
using vantage::kFloat16;
using vantage::kFloat32;
using vantage::kFloat64;
using vantage::kInt16;
using vantage::kInt32;
using vantage::kInt4;
using vantage::kInt64;
using vantage::kInt8;
using vantage::kUInt16;
using vantage::kUInt32;
using vantage::kUInt8;
using vantage::kVoid;
using vantage::name;
using vantage::nearest;
using vantage::round_to;
using vantage::Scalar;
using vantage::to_bfloat16;
using vantage::to_half;
using vantage::wrap;

// Of loop variables and indices.
inline constexpr DType kIndex = kInt32;

}  // namespace vantage::ir
