#include "frontend/onnx/quantized.h"

namespace vantage::onnx_models {

Value without_zero(Builder& b, Value x, Value zero) {
  // One element is one for all, whatever its shape.
  if (b.type(zero).size() == 1) zero = b.reshape(zero, {});
  return b.subtract(b.cast(x, kInt32), b.cast(zero, kInt32));
}

Value rounded_to(Builder& b, Value x, Value zero, DType to) {
  const Value placed = b.add(b.call("round", {x}), b.cast(zero, b.dtype(x)));
  const Value within = b.call("clip", {placed},
                              {{"min", static_cast<double>(to.min_int())}, {"max", static_cast<double>(to.max_int())}});
  return b.cast(within, to);
}

Value requantized(Builder& b, Value sums, Value scale, Value zero) {
  return rounded_to(b, b.multiply(b.cast(sums, b.dtype(scale)), scale),
                    b.type(zero).size() == 1 ? b.reshape(zero, {}) : zero, b.dtype(zero));
}

}  // namespace vantage::onnx_models
