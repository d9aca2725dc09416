// Small functions that the cases begin with.
#pragma once

#include "compiler/backend/vta/intrinsics.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"

namespace vantage::test {

// B = A + 1
inline ir::PrimFunc increment(const ir::Expr& n) {
  using namespace te;
  const te::Tensor a = placeholder({n}, kInt32, "A");
  return create_prim_func({a, compute(
                                  {n}, [&](Expr i) { return a(i) + 1; }, "B")},
                          "increment");
}

// C = max(A . B, 0)
inline ir::PrimFunc matmul_relu(int64_t m = 16, int64_t n = 16, int64_t depth = 16) {
  using namespace te;
  const te::Tensor a = placeholder({m, depth}, kInt32, "A"), b = placeholder({depth, n}, kInt32, "B");
  const ReduceAxis k = reduce_axis(depth, "k");
  const te::Tensor y = compute(
      {m, n}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "Y");
  const te::Tensor c = compute(
      {m, n}, [&](Expr i, Expr j) { return max(y(i, j), 0); }, "C");
  return create_prim_func({a, b, c}, "matmul_relu");
}

// C = (A + 1) * 2, in two steps
inline ir::PrimFunc chain(int64_t n = 16) {
  using namespace te;
  const te::Tensor a = placeholder({n}, kInt32, "A");
  const te::Tensor b = compute(
      {n}, [&](Expr i) { return a(i) + 1; }, "B");
  const te::Tensor c = compute(
      {n}, [&](Expr i) { return b(i) * 2; }, "C");
  return create_prim_func({a, c}, "chain");
}

// C = sums of three neighbours of A, with zeros around it: B
inline ir::PrimFunc blur(int64_t n = 16) {
  using namespace te;
  const te::Tensor a = placeholder({n}, kInt32, "A");
  const te::Tensor b = compute(
      {n + 2}, [&](Expr i) { return if_then_else(i >= 1 && i < n + 1, a(i - 1), 0); }, "B");
  const te::Tensor c = compute(
      {n}, [&](Expr i) { return b(i) + b(i + 1) + b(i + 2); }, "C");
  return create_prim_func({a, c}, "blur");
}

// B = A's sum over its rows
inline ir::PrimFunc row_sum(int64_t m = 4, int64_t n = 32) {
  using namespace te;
  const te::Tensor a = placeholder({m, n}, kInt32, "A");
  const ReduceAxis k = reduce_axis(n, "k");
  return create_prim_func({a, compute(
                                  {m}, [&](Expr i) { return sum(a(i, k), {k}); }, "B")},
                          "row_sum");
}

// C = (A . B) >> 8 in the VTA's tiles: 1 x 64 by 64 x 64 at the default configuration.
inline ir::PrimFunc tiled_matmul(const isa::Config& config) {
  using namespace te;
  const int batch = config.batch(), block = config.block_out();
  const int64_t m = 1, k = 4, n = 4;
  const te::Tensor a = placeholder({m, k, batch, block}, kInt8, "A"), b = placeholder({n, k, block, block}, kInt8, "B");
  const ReduceAxis ko = reduce_axis(k, "ko"), ki = reduce_axis(block, "ki");
  const te::Tensor sums = compute(
      {m, n, batch, block},
      [&](Expr bo, Expr co, Expr bi, Expr ci) {
        return sum(cast(kInt32, a(bo, ko, bi, ki)) * cast(kInt32, b(co, ko, ci, ki)), {ko, ki});
      },
      "sums");
  const te::Tensor shifted = compute(
      {m, n, batch, block}, [&](Expr bo, Expr co, Expr bi, Expr ci) { return sums(bo, co, bi, ci) >> 8; }, "shifted");
  const te::Tensor c = compute(
      {m, n, batch, block}, [&](Expr bo, Expr co, Expr bi, Expr ci) { return cast(kInt8, shifted(bo, co, bi, ci)); },
      "C");
  return create_prim_func({a, b, c}, "matmul");
}

}  // namespace vantage::test
