// Functions by hand, in few words.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/intrinsics.h"

namespace vantage::test {

inline ir::PrimFunc function(std::vector<ir::Param> params, ir::Stmt body, std::vector<ir::Buffer> allocations = {}) {
  ir::PrimFunc result;
  result.params = std::move(params);
  result.body = std::move(body);
  result.allocations = std::move(allocations);
  return result;
}

inline ir::Stmt bound_loop(const std::string& thread, const ir::Var& var, ir::Expr extent, ir::Stmt body) {
  ir::For node;
  node.var = var;
  node.min = ir::make_zero(var.dtype());
  node.extent = std::move(extent);
  node.loop = ir::ForKind::kThread;
  node.thread = thread;
  node.body = std::move(body);
  return make_stmt(std::move(node));
}

inline ir::Stmt loop_from(ir::ForKind kind, const ir::Var& var, ir::Expr min, ir::Expr extent, ir::Stmt body) {
  ir::For node;
  node.var = var;
  node.min = std::move(min);
  node.extent = std::move(extent);
  node.loop = kind;
  node.body = std::move(body);
  return make_stmt(std::move(node));
}

inline ir::Stmt barrier() {
  return ir::evaluate(ir::call(ir::kStorageSync, {ir::make_string("shared")}));
}

// The values of an array of integers.
inline std::vector<int64_t> integers(const Tensor& array) {
  std::vector<int64_t> result;
  for (int64_t e = 0; e < array.size(); ++e) result.push_back(array.integer(e));
  return result;
}

inline Tensor array_of(ir::DType dtype, const std::vector<int64_t>& values) {
  Tensor result(dtype, {static_cast<int64_t>(values.size())});
  for (size_t e = 0; e < values.size(); ++e) result.set_integer(static_cast<int64_t>(e), values[e]);
  return result;
}

// What the expression, which has no free variables, evaluates to.
inline ir::Scalar value_of(const ir::Expr& expr, const ir::InterpreterOptions& options = {}) {
  const ir::Buffer out = ir::make_buffer("out", {1}, expr.dtype());
  Tensor result(expr.dtype(), {1});
  interpret(function({out}, ir::store(out, {0}, expr)), {&result}, options);
  return result.get(0);
}

// C[i, j] += A[i, k] * B[k, j] with a block for every step, operands converted to C's type.
inline ir::PrimFunc matmul(ir::Expr m, ir::Expr n, ir::Expr k, ir::DType operand, ir::DType result) {
  using namespace ir;
  const Buffer a = make_buffer("A", {m, k}, operand);
  const Buffer b = make_buffer("B", {k, n}, operand);
  const Buffer c = make_buffer("C", {m, n}, result);
  const Var i("i"), j("j"), l("k"), vi("vi"), vj("vj"), vk("vk");
  Block block;
  block.name = "C";
  block.axes = {{vi, {0, m}, AxisKind::kSpatial}, {vj, {0, n}, AxisKind::kSpatial}, {vk, {0, k}, AxisKind::kReduce}};
  block.bindings = {i, j, l};
  block.init = store(c, {vi, vj}, make_zero(result));
  const Expr product = cast(result, load(a, {vi, vk})) * cast(result, load(b, {vk, vj}));
  block.body = store(c, {vi, vj}, load(c, {vi, vj}) + product);
  PrimFunc f = function({a, b, c}, loop(i, m, loop(j, n, loop(l, k, make_stmt(std::move(block))))));
  f.name = "matmul";
  return f;
}

}  // namespace vantage::test
