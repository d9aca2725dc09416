// Operators of onnxruntime's own set that compute with integers as its quantization writes them: what each means in
// floats, between integers with scales.
#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/quantized.h"

namespace vantage::onnx_models {

namespace {

// Of a node's operands, integers, scale and zero point.
Value floats_at(const Node& node, size_t first) {
  return dequantized(node.builder(), node.input(first), node.input(first + 1), node.input(first + 2));
}

ImportOperator of_two(std::string op) {
  return [op](const Node& node) {
    Builder& b = node.builder();
    const Value y = b.call(op, {floats_at(node, 0), floats_at(node, 3)});
    return std::vector{quantized(b, y, node.input(6), node.input(7))};
  };
}

std::vector<Value> sigmoid_of_integers(const Node& node) {
  Builder& b = node.builder();
  return {quantized(b, b.call("sigmoid", {floats_at(node, 0)}), node.input(3), node.input(4))};
}

// Of the rows behind an axis, as ONNX's before version 13, or along it.
std::vector<Value> softmax_of_integers(const Node& node) {
  Builder& b = node.builder();
  const Value x = floats_at(node, 0);
  const Tensor::Shape shape = b.shape(x);
  const size_t axis = node.axis(node.integer("axis", -1), b.rank(x));
  const bool is_along = node.integer("opset") >= 13;
  Tensor::Shape rows = {1, 1};
  for (size_t d = 0; d < shape.size(); ++d) rows[d < axis ? 0 : 1] *= shape[d];
  const Value laid_out = is_along ? x : b.reshape(x, rows);
  Value y = b.call("softmax", {laid_out}, {{"axis", is_along ? static_cast<int64_t>(axis) : int64_t{1}}});
  y = b.reshape(y, shape);
  return {quantized(b, y, node.input(3), node.input(4))};
}

std::vector<Value> mean_of_integers(const Node& node) {
  Builder& b = node.builder();
  if (node.integer("channels_last", 0) != 0) fail("its channels are last, expected [n, c, h, w]");
  const Value x = floats_at(node, 0);
  if (b.rank(x) < 3) fail("{} is no image", describe(b.type(x)));
  Integers axes;
  for (int64_t d = 2; d < b.rank(x); ++d) axes.push_back(d);
  return {quantized(b, b.fold("mean", x, axes, true), node.input(3), node.input(4))};
}

std::vector<Value> concatenate_integers(const Node& node) {
  Builder& b = node.builder();
  std::vector<Value> parts;
  for (size_t i = 2; i < node.inputs(); i += 3) parts.push_back(floats_at(node, i));
  if (parts.empty()) fail("it has no operands");
  const Value y = b.concatenate(parts, node.axis(node.integer("axis"), b.rank(parts[0])));
  return {quantized(b, y, node.input(0), node.input(1))};
}

// Without the output's scale it gives floats.
std::vector<Value> gemm_of_integers(const Node& node) {
  Builder& b = node.builder();
  const bool ta = node.integer("transA", 0) != 0, tb = node.integer("transB", 0) != 0;
  require_scale(b, node.input(1));
  require_scale(b, node.input(4));
  const Value x = without_zero(b, node.input(0), node.input(2));
  Value zero = node.input(5);
  if (tb && b.rank(zero) == 1 && b.type(zero).size() > 1) zero = b.unsqueeze(zero, 1);
  const Value w = without_zero(b, node.input(3), zero);
  Value sums = b.call("matmul", {x, w}, {{"transpose_a", ta}, {"transpose_b", tb}});
  if (node.has(6)) sums = b.add(sums, node.input(6));
  const Value scale = b.multiply(b.multiply(b.reshape(node.input(1), {}), node.input(4)), node.number("alpha", 1));
  const Value y = b.multiply(b.cast(sums, kFloat32), scale);
  return {node.has(7) ? quantized(b, y, node.input(7), node.input(8)) : y};
}

// Weights of 4 or 8 bits in blocks along the depth, each with a scale, and with a zero point, which is in the middle
// where there is none: B is [outputs, blocks, bytes], the first of two in a byte the lower one.
std::vector<Value> matmul_by_blocks(const Node& node) {
  Builder& b = node.builder();
  const int64_t bits = node.integer("bits", 4), block = node.integer("block_size");
  const int64_t depth = node.integer("K"), outputs = node.integer("N");
  node.integer("accuracy_level", 0);
  node.integer("weight_prepacked", 0);
  if (node.has(4)) fail("it orders its groups by g_idx, which is not read");
  constexpr int64_t kMost = 1 << 30;
  const auto is_size = [](int64_t size) { return size >= 1 && size <= kMost; };
  if ((bits != 4 && bits != 8) || !is_size(block) || !is_size(depth) || !is_size(outputs)) {
    fail("its weights are {} by {} of {} bits in blocks of {}, expected sizes from 1 on, and 4 or 8 bits", outputs,
         depth, bits, block);
  }
  const int64_t blocks = depth / block + (depth % block != 0 ? 1 : 0), in_byte = 8 / bits;
  const Tensor& packed = node.constant(1, "weights");
  const Value scales = node.input(2);
  const Tensor* const zeros = node.has(3) ? &node.constant(3, "zero points") : nullptr;
  const int64_t bytes_of_zeros = blocks / in_byte + (blocks % in_byte != 0 ? 1 : 0);
  const bool fits = packed.dtype() == kUInt8 && block % in_byte == 0 &&
                    packed.size() == outputs * (blocks * (block / in_byte)) &&
                    b.type(scales).size() == outputs * blocks &&
                    (zeros == nullptr || (zeros->dtype() == kUInt8 && zeros->size() == outputs * bytes_of_zeros));
  if (!fits)
    fail("its weights are {}, expected {} by {} of {} bits in blocks of {}", describe(packed), outputs, depth, bits,
         block);
  require_scale(b, scales);
  const auto bits_at = [&](const Tensor& from, int64_t byte, int64_t place) {
    return from.integer(byte) >> (place * bits) & ((int64_t{1} << bits) - 1);
  };
  Tensor integers = b.blank(kInt8, {outputs, blocks, block});
  for (int64_t e = 0; e < integers.size(); ++e) {
    const int64_t of = e / block % blocks, row = e / block / blocks;
    const int64_t zero = zeros == nullptr ? int64_t{1} << (bits - 1)
                                          : bits_at(*zeros, row * bytes_of_zeros + of / in_byte, of % in_byte);
    const int64_t value = bits_at(packed, e / in_byte, e % in_byte) - zero;
    if (value < INT8_MIN || value > INT8_MAX) fail("a weight less its zero point is {}, more than int8 holds", value);
    integers.set_integer(e, value);
  }
  Value w = b.narrow_weights(b.constant(std::move(integers)), b.reshape(scales, {outputs, blocks, 1}));
  w = b.slice(b.reshape(w, {outputs, blocks * block}), 1, 0, depth);
  Value y = b.product("matmul", {node.input(0), w}, {{"transpose_a", false}, {"transpose_b", true}});
  if (node.has(5)) y = b.add(y, b.wide(node.input(5)));
  return {b.cast(y, b.dtype(node.input(0)))};
}

}  // namespace

OperatorFamily microsoft_family() {
  return {{"com.microsoft.QLinearAdd", of_two("add")},
          {"com.microsoft.QLinearMul", of_two("multiply")},
          {"com.microsoft.QLinearSigmoid", sigmoid_of_integers},
          {"com.microsoft.QLinearSoftmax", softmax_of_integers},
          {"com.microsoft.QLinearGlobalAveragePool", mean_of_integers},
          {"com.microsoft.QLinearConcat", concatenate_integers},
          {"com.microsoft.QGemm", gemm_of_integers},
          {"com.microsoft.MatMulNBits", matmul_by_blocks}};
}

}  // namespace vantage::onnx_models
