// Products of matrices.
#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/quantized.h"

namespace vantage::onnx_models {

namespace {

// Vectors are rows at the left and columns at the right, and are none in what comes out.
Value product(Builder& b, Value x, Value y) {
  const bool is_row = b.rank(x) == 1, is_column = b.rank(y) == 1;
  if (b.rank(x) == 0 || b.rank(y) == 0) fail("it multiplies {} by {}", describe(b.type(x)), describe(b.type(y)));
  if (is_row) x = b.unsqueeze(x, 0);
  if (is_column) y = b.unsqueeze(y, 1);
  Value z = b.call("matmul", {x, y});
  if (is_column) z = b.squeeze(z, b.shape(z).size() - 1);
  if (is_row) z = b.squeeze(z, b.shape(z).size() - (is_column ? 1 : 2));
  return z;
}

std::vector<Value> matmul(const Node& node) {
  return {product(node.builder(), node.input(0), node.input(1))};
}

std::vector<Value> matmul_integer(const Node& node) {
  Builder& b = node.builder();
  const auto offset = [&](size_t operand, size_t zero, bool rows) {
    const Value x = node.input(operand);
    if (!node.has(zero)) return b.cast(x, kInt32);
    // One for each row of the left side, or column of the right one.
    Value point = node.input(zero);
    if (rows && b.rank(point) == 1 && b.shape(point)[0] > 1) point = b.unsqueeze(point, 1);
    return without_zero(b, x, point);
  };
  return {product(b, offset(0, 2, true), offset(1, 3, false))};
}

std::vector<Value> qlinear_matmul(const Node& node) {
  Builder& b = node.builder();
  const auto column = [&](Value v, bool rows) {
    return rows && b.rank(v) == 1 && b.shape(v)[0] > 1 ? b.unsqueeze(v, 1) : v;
  };
  const Value x = without_zero(b, node.input(0), column(node.input(2), true));
  const Value y = without_zero(b, node.input(3), column(node.input(5), false));
  require_scale(b, node.input(1));
  require_scale(b, node.input(4));
  const Value scale =
      b.multiply(b.cast(column(node.input(1), true), kFloat32), b.cast(column(node.input(4), false), kFloat32));
  const Value sums = b.multiply(b.cast(product(b, x, y), kFloat32), scale);
  return {quantized(b, sums, b.cast(node.input(6), kFloat32), node.input(7))};
}

std::vector<Value> gemm(const Node& node) {
  Builder& b = node.builder();
  const bool ta = node.integer("transA", 0) != 0, tb = node.integer("transB", 0) != 0;
  // What the products come to may be more than a narrow float holds, though a part of it is not.
  Value y = b.product("matmul", {node.input(0), node.input(1)}, {{"transpose_a", ta}, {"transpose_b", tb}});
  const auto times = [&](Value v, double factor) {
    if (factor == 1) return v;
    const DType dtype = b.dtype(v);
    return dtype.is_float() ? b.multiply(v, factor) : b.cast(b.multiply(b.cast(v, kFloat64), factor), dtype);
  };
  y = times(y, node.number("alpha", 1));
  const double beta = node.number("beta", 1);  // there may be one without anything to multiply
  if (node.has(2)) y = b.add(y, times(b.wide(node.input(2)), beta));
  return {b.cast(y, b.dtype(node.input(0)))};
}

}  // namespace

OperatorFamily product_family() {
  return {{"MatMul", matmul}, {"MatMulInteger", matmul_integer}, {"QLinearMatMul", qlinear_matmul}, {"Gemm", gemm}};
}

}  // namespace vantage::onnx_models
