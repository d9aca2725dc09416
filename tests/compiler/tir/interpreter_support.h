// Functions by hand, in few words.
#pragma once

#include <string>
#include <vector>

#include "compiler/tir/interpreter/interpreter.h"
#include "compiler/tir/intrinsics.h"

namespace vantage::test {

inline tir::PrimFunc function(std::vector<tir::Param> params, tir::Stmt body,
                              std::vector<tir::Buffer> allocations = {}) {
  tir::PrimFunc result;
  result.params = std::move(params);
  result.body = std::move(body);
  result.allocations = std::move(allocations);
  return result;
}

inline tir::Stmt bound_loop(const std::string& thread, const tir::Var& var, tir::Expr extent, tir::Stmt body) {
  tir::For node;
  node.var = var;
  node.min = make_zero(var.dtype());
  node.extent = std::move(extent);
  node.loop = tir::ForKind::kThread;
  node.thread = thread;
  node.body = std::move(body);
  return make_stmt(std::move(node));
}

inline tir::Stmt loop_from(tir::ForKind kind, const tir::Var& var, tir::Expr min, tir::Expr extent, tir::Stmt body) {
  tir::For node;
  node.var = var;
  node.min = std::move(min);
  node.extent = std::move(extent);
  node.loop = kind;
  node.body = std::move(body);
  return make_stmt(std::move(node));
}

inline tir::Stmt barrier() {
  return tir::evaluate(tir::call(tir::kStorageSync, {tir::make_string("shared")}));
}

// The values of an array of integers.
inline std::vector<int64_t> integers(const tir::Array& array) {
  std::vector<int64_t> result;
  for (int64_t e = 0; e < array.size(); ++e) result.push_back(array.integer(e));
  return result;
}

inline tir::Array array_of(tir::DType dtype, const std::vector<int64_t>& values) {
  tir::Array result(dtype, {static_cast<int64_t>(values.size())});
  for (size_t e = 0; e < values.size(); ++e) result.set_integer(static_cast<int64_t>(e), values[e]);
  return result;
}

// What the expression, which has no free variables, evaluates to.
inline tir::Scalar value_of(const tir::Expr& expr, const tir::InterpreterOptions& options = {}) {
  const tir::Buffer out = tir::make_buffer("out", {1}, expr.dtype());
  tir::Array result(expr.dtype(), {1});
  interpret(function({out}, tir::store(out, {0}, expr)), {&result}, options);
  return result.get(0);
}

// C[i, j] += A[i, k] * B[k, j] with a block for every step, operands converted to C's type.
inline tir::PrimFunc matmul(tir::Expr m, tir::Expr n, tir::Expr k, tir::DType operand, tir::DType result) {
  using namespace tir;
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
