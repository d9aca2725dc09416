// Operators between floats and integers with a scale.
#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/quantized.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

namespace {

// A scale or zero point of all elements, of an axis, or of blocks of elements along an axis, over x.
Value over(const Node& node, Value v, Value x) {
  Builder& b = node.builder();
  const int64_t given = node.integer("axis", 1), block = node.integer("block_size", 0);
  // Then it is of no matter along which.
  if (b.type(v).size() == 1 && b.rank(v) <= 1) return b.reshape(v, {});
  const size_t axis = node.axis(given, b.rank(x));
  const Tensor::Shape& s = b.shape(x);
  if (block == 0) {
    if (b.rank(v) != 1 || b.shape(v)[0] != s[axis]) {
      fail("{} is no scale or zero point for axis {} of {}", describe(b.type(v)), axis, describe(b.type(x)));
    }
    Tensor::Shape shape(s.size(), 1);
    shape[axis] = s[axis];
    return b.reshape(v, shape);
  }
  const int64_t blocks = block < 0 ? 0 : s[axis] / block + (s[axis] % block != 0 ? 1 : 0);
  if (b.rank(v) != b.rank(x) || b.shape(v)[axis] != blocks) {
    fail("its scale is {}, expected one for each {} of axis {} of {}", describe(b.type(v)), block, axis,
         describe(b.type(x)));
  }
  return b.pick(v, axis, s[axis], [&](int64_t i) { return i / block; });
}

std::vector<Value> quantize(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const int64_t asked = node.integer("output_dtype", 0);
  const DType to = node.has(2) ? b.dtype(node.input(2)) : asked != 0 ? dtype_of(asked) : kUInt8;
  const Value zero = node.has(2) ? over(node, node.input(2), x) : b.scalar(to, 0);
  const Value wide = b.dtype(x).is_float() ? x : b.cast(x, kFloat32);
  const Value scale = b.cast(over(node, node.input(1), x), b.dtype(wide));
  return {rounded_to(b, b.divide(wide, scale), zero, to)};
}

std::vector<Value> dequantize(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0), scale = over(node, node.input(1), x);
  // Sums of integers are exact; there are floats of a few bits, too.
  const DType wide = b.dtype(x).is_float() ? b.dtype(x) : kInt32;
  Value numbers = b.cast(x, wide);
  if (node.has(2)) numbers = b.subtract(numbers, b.cast(over(node, node.input(2), x), wide));
  const Value y = b.multiply(b.cast(numbers, b.dtype(scale)), scale);
  const int64_t asked = node.integer("output_dtype", 0);
  return {asked == 0 ? y : b.cast(y, dtype_of(asked))};
}

// To uint8, by the values' own range with 0 in it.
std::vector<Value> quantize_dynamically(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0), zero = b.scalar(kFloat32, 0);
  const Value low = b.call("minimum", {b.fold("min", x, {}, false), zero});
  const Value high = b.call("maximum", {b.fold("max", x, {}, false), zero});
  const Value range = b.multiply(b.subtract(high, low), 1.0 / 255);
  const Value scale = b.call("where", {b.call("equal", {range, zero}), b.scalar(kFloat32, 1), range});
  const Value point = rounded_to(b, b.divide(b.subtract(zero, low), scale), b.scalar(kUInt8, 0), kUInt8);
  return {rounded_to(b, b.divide(x, scale), point, kUInt8), scale, point};
}

}  // namespace

OperatorFamily quantize_family() {
  return {
      {"QuantizeLinear", quantize}, {"DequantizeLinear", dequantize}, {"DynamicQuantizeLinear", quantize_dynamically}};
}

}  // namespace vantage::onnx_models
