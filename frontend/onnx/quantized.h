// Numbers as integers with a scale and a zero point: scale * (integer - zero).
//
// Thread safety: functions without state.
#pragma once

#include "frontend/onnx/builder.h"

namespace vantage::onnx_models {

// Throws Error for a scale that is known and no number above 0.
void require_scale(const Builder& b, Value scale);
// Throws Error for a zero point of another type than what it belongs to.
void require_zero(const Builder& b, Value zero, Value x);

// x - zero, as int32.
Value without_zero(Builder& b, Value x, Value zero);
// What integers stand for, by one scale and zero point.
Value dequantized(Builder& b, Value x, Value scale, Value zero);
// The nearest integers of `to` to x + zero, ties to even, within what that type holds.
Value rounded_to(Builder& b, Value x, Value zero, DType to);
// The nearest integers to x / scale + zero, of the zero point's type.
Value quantized(Builder& b, Value x, Value scale, Value zero);

}  // namespace vantage::onnx_models
