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

}  // namespace

OperatorFamily microsoft_family() {
  return {{"com.microsoft.QLinearAdd", of_two("add")},
          {"com.microsoft.QLinearMul", of_two("multiply")},
          {"com.microsoft.QLinearSigmoid", sigmoid_of_integers},
          {"com.microsoft.QLinearSoftmax", softmax_of_integers},
          {"com.microsoft.QLinearGlobalAveragePool", mean_of_integers},
          {"com.microsoft.QLinearConcat", concatenate_integers},
          {"com.microsoft.QGemm", gemm_of_integers}};
}

}  // namespace vantage::onnx_models
