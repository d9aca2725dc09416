#include "compiler/ops/matmul/cpu_matmul.h"

#include <algorithm>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/cpu/default_schedule.h"
#include "compiler/ops/cpu/tile.h"
#include "compiler/ops/matmul/cpu_packed_matmul.h"
#include "compiler/te/te.h"

namespace vantage::ops {

using namespace te;
using te::Tensor;  // not the host's

namespace {

void check(const MatmulShape& shape) {
  for (const auto& [name, size] :
       {std::pair("m", shape.m), {"n", shape.n}, {"k", shape.k}, {"batch", shape.batch.value_or(1)}}) {
    if (size < 1) fail("matmul: {} is {}, expected at least 1", name, size);
  }
  if (shape.dtype != kFloat32 && !shape.dtype.is_narrow_float() && shape.dtype != kInt8) {
    fail("matmul: the type is {}, expected float32, float16, bfloat16 or int8", ir::name(shape.dtype));
  }
}

}  // namespace

ir::PrimFunc cpu_matmul(const MatmulShape& shape) {
  check(shape);
  const int64_t m = shape.m, n = shape.n, k = shape.k;
  std::vector<Expr> outer;
  if (shape.batch) outer.emplace_back(*shape.batch);
  const auto sizes = [&](int64_t rows, int64_t columns) {
    std::vector<Expr> all = outer;
    all.insert(all.end(), {Expr(rows), Expr(columns)});
    return all;
  };
  const Tensor a = placeholder(shape.transpose_a ? sizes(k, m) : sizes(m, k), shape.dtype, "A");
  const Tensor b = placeholder(shape.transpose_b ? sizes(n, k) : sizes(k, n), shape.dtype, "B");
  const ReduceAxis depth = reduce_axis(Expr(k), "k");
  const DType sum_type = shape.dtype == kInt8 ? kInt32 : kFloat32;
  const auto element = [&](const Tensor& t, std::vector<Expr> at, const Expr& row, const Expr& column,
                           bool transposed) {
    at.push_back(transposed ? column : row);
    at.push_back(transposed ? row : column);
    return cast(sum_type, t.at(at));
  };
  const bool direct = shape.result() == sum_type;
  const Tensor sums = compute(
      sizes(m, n),
      [&](const std::vector<Var>& x) {
        const std::vector<Expr> at(x.begin(), x.end() - 2);
        const Expr i = x[x.size() - 2], j = x.back();
        return sum(element(a, at, i, depth, shape.transpose_a) * element(b, at, depth, j, shape.transpose_b), {depth});
      },
      direct ? "C" : "sum");
  if (direct) return create_prim_func({a, b, sums}, "matmul");
  const Tensor c = compute(
      sizes(m, n),
      [&](const std::vector<Var>& x) { return cast(shape.result(), sums.at(std::vector<Expr>(x.begin(), x.end()))); },
      "C");
  return create_prim_func({a, b, c}, "matmul");
}

CpuMatmulTiling choose_cpu_matmul_tiling(const MatmulShape& shape, const cpu::Target& target, int threads) {
  check(shape);
  check_threads(threads);
  const int64_t depth = shape.dtype == kInt8 ? (shape.k + 3) / 4 : shape.k;
  const RegisterTile tile = choose_register_tile(shape.m, shape.n, target);
  CpuMatmulTiling t{.tile_m = tile.rows, .tile_n = tile.columns, .block_m = 0, .block_n = 0, .block_k = 0};
  // Half of the second level of cache for a block of A, at least eight tiles of rows; the other half sees B pass by.
  const int64_t cache = target.l2_bytes / 2 / 4;
  const int64_t deepest = std::max<int64_t>(round_up(cache / (8 * t.tile_m), kDepthStep), kDepthStep);
  const int64_t parts = ceil_div(depth, deepest);
  t.block_k = round_up(ceil_div(depth, parts), kDepthStep);
  const int64_t rows = round_up(shape.m, t.tile_m), columns = round_up(shape.n, t.tile_n);
  // Not too many rows either: each is a stream of its own while A is packed.
  t.block_m = std::clamp<int64_t>(cache / t.block_k / t.tile_m, 1, 16) * t.tile_m;
  // Several blocks for every thread.
  const int64_t share = round_up(ceil_div(shape.m, 4 * threads), t.tile_m);
  t.block_m = std::min({t.block_m, rows, threads > 1 ? share : rows});
  // Packed columns of B lie in the last level of cache; where there are few rows, threads share columns.
  t.block_n = std::min(columns, std::max((int64_t{4} << 20) / 4 / t.block_k / t.tile_n, int64_t{1}) * t.tile_n);
  if (rows / t.block_m < threads) {
    t.block_n = std::min(t.block_n, round_up(ceil_div(shape.n, 4 * threads), t.tile_n));
  }
  return t;
}

schedule::Schedule schedule_cpu_matmul(const MatmulShape& shape, const CpuMatmulTiling& t, const cpu::Target& target,
                                       int threads) {
  check(shape);
  check_threads(threads);
  const bool whole = t.tile_m > 0 && t.tile_n > 0 && t.block_m > 0 && t.block_n > 0 && t.block_k > 0 &&
                     t.block_m % t.tile_m == 0 && t.block_n % t.tile_n == 0 && t.block_k % kDepthStep == 0;
  if (!whole) {
    fail("matmul: blocks of {} x {} x {} are no whole tiles of {} x {} and steps of {}", t.block_m, t.block_n,
         t.block_k, t.tile_m, t.tile_n, kDepthStep);
  }
  return PackedMatmul(shape, t, target).schedule(threads);
}

schedule::Schedule schedule_cpu_matmul(const MatmulShape& shape, const cpu::Target& target, int threads) {
  // A few rows by rows: packing would cost more than the sums, which as they are walk along both operands.
  const bool rows_by_rows = shape.transpose_b && (!shape.transpose_a || shape.m == 1);
  if (rows_by_rows && shape.m <= 8 && shape.dtype != kInt8) {
    return schedule_by_default(cpu_matmul(shape), target, threads);
  }
  return schedule_cpu_matmul(shape, choose_cpu_matmul_tiling(shape, target, threads), target, threads);
}

}  // namespace vantage::ops
