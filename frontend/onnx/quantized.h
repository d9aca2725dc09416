// Numbers as integers with a scale and a zero point.
//
// Thread safety: functions without state.
#pragma once

#include "frontend/onnx/builder.h"

namespace vantage::onnx_models {

// x - zero, as int32.
Value without_zero(Builder& b, Value x, Value zero);
// The nearest integers of `to` to x + zero, ties to even, within what that type holds.
Value rounded_to(Builder& b, Value x, Value zero, DType to);
// Sums of products times a scale, as integers of the zero point's type.
Value requantized(Builder& b, Value sums, Value scale, Value zero);

}  // namespace vantage::onnx_models
