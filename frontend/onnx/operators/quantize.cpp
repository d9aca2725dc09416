// Operators between floats and integers with a scale.
#include <functional>
#include <optional>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/quantized.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

namespace {

// Along which axis blocks of elements have scales, or zero points, each its own.
size_t axis_of_blocks(const Node& node, Value v, Value x) {
  Builder& b = node.builder();
  const size_t axis = node.axis(node.integer("axis", 1), b.rank(x));
  const int64_t block = node.integer("block_size", 0), extent = b.shape(x)[axis];
  const int64_t blocks = block < 0 ? 0 : extent / block + (extent % block != 0 ? 1 : 0);
  if (b.rank(v) != b.rank(x) || b.shape(v)[axis] != blocks) {
    fail("its scale is {}, expected one for each {} of axis {} of {}", describe(b.type(v)), block, axis,
         describe(b.type(x)));
  }
  return axis;
}

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
  axis_of_blocks(node, v, x);
  return b.pick(v, axis, s[axis], [&](int64_t i) { return i / block; });
}

std::vector<Value> quantize(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  require_scale(b, node.input(1));
  const int64_t asked = node.integer("output_dtype", 0);
  const DType to = node.has(2) ? b.dtype(node.input(2)) : asked != 0 ? dtype_of(asked) : kUInt8;
  if (!to.is_int()) fail("it rounds to {}, expected integers", name(to));
  const Value zero = node.has(2) ? over(node, node.input(2), x) : b.scalar(to, 0);
  const Value wide = b.dtype(x).is_float() ? x : b.cast(x, kFloat32);
  const Value scale = b.cast(over(node, node.input(1), x), b.dtype(wide));
  return {rounded_to(b, b.divide(wide, scale), zero, to)};
}

// A constant's integers less their zero points, if these are known and int8 holds them. `zero_of`: the place of an
// element's zero point.
std::optional<Tensor> as_int8(Builder& b, Value x, std::optional<Value> zero,
                              const std::function<int64_t(int64_t)>& zero_of) {
  const Tensor *const integers = b.known(x), *const zeros = zero ? b.known(*zero) : nullptr;
  const bool fits = integers != nullptr && integers->rank() > 1 && integers->size() > 0 && !b.dtype(x).is_float() &&
                    (!zero || zeros != nullptr);
  if (!fits) return std::nullopt;
  Tensor narrow = b.blank(kInt8, integers->shape());
  const auto to = narrow.values<int8_t>();
  for (int64_t e = 0; e < integers->size(); ++e) {
    const int64_t value = integers->integer(e) - (zeros == nullptr ? 0 : zeros->integer(zero_of(e)));
    if (value < INT8_MIN || value > INT8_MAX) return std::nullopt;
    to[static_cast<size_t>(e)] = static_cast<int8_t>(value);
  }
  return narrow;
}

// Weights that stay integers in the network: those that int8 holds, by scales that are known.
std::optional<Value> narrow(const Node& node, Value x) {
  Builder& b = node.builder();
  const Value scale = node.input(1);
  const std::optional<Value> zero = node.has(2) ? std::optional(node.input(2)) : std::nullopt;
  if (b.known(scale) == nullptr || b.dtype(scale) != kFloat32 || b.known(x) == nullptr) return std::nullopt;
  const int64_t block = node.integer("block_size", 0);
  const Tensor::Shape& shape = b.shape(x);
  const bool is_one = b.type(scale).size() == 1 && b.rank(scale) <= 1;
  if (block == 0 || is_one) {
    const Value scales = over(node, scale, x);
    const std::optional<Value> zeros = zero ? std::optional(over(node, *zero, x)) : std::nullopt;
    // One for all, or one for each place of an axis.
    int64_t inner = 1, count = zeros ? b.type(*zeros).size() : 1;
    for (size_t d = shape.size(); zeros && count > 1 && d-- > 0 && b.shape(*zeros)[d] == 1;) inner *= shape[d];
    const auto integers = as_int8(b, x, zeros, [&](int64_t e) { return e / inner % count; });
    return integers ? std::optional(b.narrow_weights(b.constant(*integers), scales)) : std::nullopt;
  }
  const size_t axis = axis_of_blocks(node, scale, x);
  if (zero) axis_of_blocks(node, *zero, x);
  if (shape[axis] % block != 0 || (zero && b.shape(*zero) != b.shape(scale))) return std::nullopt;
  int64_t inner = 1;
  for (size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  // [outer, blocks, block, inner]: of a block all have one.
  const auto integers = as_int8(b, x, zero, [&](int64_t e) { return e / (inner * block) * inner + e % inner; });
  if (!integers) return std::nullopt;
  Tensor::Shape apart = shape, of_scales = b.shape(scale);
  apart[axis] /= block;
  apart.insert(apart.begin() + static_cast<ptrdiff_t>(axis) + 1, block);
  of_scales.insert(of_scales.begin() + static_cast<ptrdiff_t>(axis) + 1, 1);
  return b.reshape(b.narrow_weights(b.constant(integers->reshaped(apart)), b.reshape(scale, of_scales)), shape);
}

std::vector<Value> dequantize(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  require_scale(b, node.input(1));
  if (node.has(2)) require_zero(b, node.input(2), x);
  const int64_t asked = node.integer("output_dtype", 0);
  node.integer("axis", 1), node.integer("block_size", 0);
  Value y;
  if (const auto weights = narrow(node, x)) {
    y = *weights;
  } else {
    const Value scale = over(node, node.input(1), x);
    const std::optional<Value> zero = node.has(2) ? std::optional(over(node, node.input(2), x)) : std::nullopt;
    // Sums of integers are exact; there are floats of a few bits, too.
    const DType wide = b.dtype(x).is_float() ? b.dtype(x) : kInt32;
    Value numbers = b.cast(x, wide);
    if (zero) numbers = b.subtract(numbers, b.cast(*zero, wide));
    y = b.multiply(b.cast(numbers, b.dtype(scale)), scale);
  }
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
  // onnxruntime writes these as its own where ONNX's did not take what it wanted.
  return {{"QuantizeLinear", quantize},
          {"DequantizeLinear", dequantize},
          {"DynamicQuantizeLinear", quantize_dynamically},
          {"com.microsoft.QuantizeLinear", quantize},
          {"com.microsoft.DequantizeLinear", dequantize}};
}

}  // namespace vantage::onnx_models
