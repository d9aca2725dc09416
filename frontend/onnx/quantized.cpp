#include "frontend/onnx/quantized.h"

#include <cmath>

#include "base/error.h"

namespace vantage::onnx_models {

namespace {

// One element is one for all, whatever its shape.
Value one_for_all(Builder& b, Value v) {
  return b.type(v).size() == 1 ? b.reshape(v, {}) : v;
}

}  // namespace

void require_scale(const Builder& b, Value scale) {
  const Tensor* const known = b.known(scale);
  for (int64_t e = 0; known != nullptr && e < known->size(); ++e) {
    const double value = known->number(e);
    if (!(value > 0 && std::isfinite(value))) {
      fail("its scale is {} at element {}, expected a number above 0", value, e);
    }
  }
}

void require_zero(const Builder& b, Value zero, Value x) {
  if (b.dtype(zero) == b.dtype(x)) return;
  fail("its zero point is {}, but the integers that it belongs to are {}", name(b.dtype(zero)), name(b.dtype(x)));
}

Value without_zero(Builder& b, Value x, Value zero) {
  require_zero(b, zero, x);
  return b.subtract(b.cast(x, kInt32), b.cast(one_for_all(b, zero), kInt32));
}

Value dequantized(Builder& b, Value x, Value scale, Value zero) {
  require_scale(b, scale);
  return b.multiply(b.cast(without_zero(b, x, zero), b.dtype(scale)), one_for_all(b, scale));
}

Value rounded_to(Builder& b, Value x, Value zero, DType to) {
  const Value placed = b.add(b.call("round", {x}), b.cast(zero, b.dtype(x)));
  const Value within = b.call("clip", {placed},
                              {{"min", static_cast<double>(to.min_int())}, {"max", static_cast<double>(to.max_int())}});
  return b.cast(within, to);
}

Value quantized(Builder& b, Value x, Value scale, Value zero) {
  require_scale(b, scale);
  return rounded_to(b, b.divide(x, one_for_all(b, scale)), one_for_all(b, zero), b.dtype(zero));
}

}  // namespace vantage::onnx_models
