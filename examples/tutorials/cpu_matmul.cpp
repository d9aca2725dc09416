// A matrix product on this machine's processor, from plain loops to registers and caches: the IR after every step on
// standard output, the time of each on standard error. docs/tutorials/cpu_matmul.md explains each step.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/tensor/compare.h"
#include "compiler/compiler.h"
#include "examples/support/run_on_cpu.h"

using namespace vantage;
using namespace vantage::te;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kSize = 1024;
constexpr int64_t kRows = 8, kColumns = 32;  // of a tile

ir::PrimFunc matmul() {
  const te::Tensor a = placeholder({kSize, kSize}, kFloat32, "A"), b = placeholder({kSize, kSize}, kFloat32, "B");
  const ReduceAxis k = reduce_axis(kSize, "k");
  const te::Tensor c = compute(
      {kSize, kSize}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "C");
  return create_prim_func({a, b, c}, "matmul");
}

// The same with B in panels of 32 columns, so that what the inner loops read lies side by side.
ir::PrimFunc packed_matmul() {
  const te::Tensor a = placeholder({kSize, kSize}, kFloat32, "A"), b = placeholder({kSize, kSize}, kFloat32, "B");
  const te::Tensor panel = compute(
      {kSize / kColumns, kSize, kColumns}, [&](Expr p, Expr k, Expr j) { return b(k, p * kColumns + j); }, "panel");
  const ReduceAxis k = reduce_axis(kSize, "k");
  const te::Tensor c = compute(
      {kSize, kSize},
      [&](Expr i, Expr j) { return sum(a(i, k) * panel(floor_div(j, kColumns), k, floor_mod(j, kColumns)), {k}); },
      "C");
  return create_prim_func({a, b, c}, "matmul");
}

struct Tiled {
  Schedule s;
  BlockRV block;
  LoopRV i_outer, i_inner, j_outer, j_inner, k;
};

Tiled split(const ir::PrimFunc& function) {
  Schedule s(function);
  const BlockRV block = s.get_block("C");
  const auto loops = s.get_loops(block);
  const auto i = s.split_by_factor(loops[0], kRows), j = s.split_by_factor(loops[1], kColumns);
  return {std::move(s), block, i[0], i[1], j[0], j[1], loops[2]};
}

Tiled reordered(const ir::PrimFunc& function) {
  Tiled t = split(function);
  t.s.reorder({t.i_outer, t.j_outer, t.k, t.i_inner, t.j_inner});
  return t;
}

Tiled vectorized(const ir::PrimFunc& function) {
  Tiled t = reordered(function);
  t.s.vectorize(t.j_inner);
  t.s.vectorize(t.s.get_loops(t.s.decompose_reduction(t.block, t.k)).back());
  return t;
}

Tiled parallel(const ir::PrimFunc& function) {
  Tiled t = vectorized(function);
  t.s.parallel(t.i_outer);
  return t;
}

Tiled packed() {
  Tiled t = parallel(packed_matmul());
  const auto loops = t.s.get_loops(t.s.get_block("panel"));
  t.s.vectorize(loops[2]);
  t.s.parallel(loops[0]);
  return t;
}

// The tile of C stays in registers while it is summed, and is written once.
Tiled cached() {
  Tiled t = reordered(packed_matmul());
  const BlockRV copy = t.s.cache_write(t.block, "local");
  t.s.reverse_compute_at(copy, t.j_outer);
  t.s.unroll(t.i_inner);
  t.s.vectorize(t.j_inner);
  const auto finish = [&](BlockRV block) {
    const auto loops = t.s.get_loops(block);
    t.s.unroll(loops[loops.size() - 2]);
    t.s.vectorize(loops.back());
  };
  finish(copy);
  finish(t.s.decompose_reduction(t.block, t.k));
  t.s.parallel(t.i_outer);
  const auto loops = t.s.get_loops(t.s.get_block("panel"));
  t.s.vectorize(loops[2]);
  t.s.parallel(loops[0]);
  return t;
}

// The product by the loops of this file's own compiler. The numbers are small and whole, so sums are exact.
vantage::Tensor plain_loops(const vantage::Tensor& a, const vantage::Tensor& b) {
  constexpr auto kSide = static_cast<size_t>(kSize);
  std::vector<float> x(kSide * kSide), y(kSide * kSide), row(kSide);
  for (size_t e = 0; e < x.size(); ++e) {
    x[e] = static_cast<float>(a.number(static_cast<int64_t>(e)));
    y[e] = static_cast<float>(b.number(static_cast<int64_t>(e)));
  }
  vantage::Tensor c(kFloat32, {kSize, kSize});
  for (size_t i = 0; i < kSide; ++i) {
    std::fill(row.begin(), row.end(), 0.0F);
    for (size_t k = 0; k < kSide; ++k) {
      const float left = x[i * kSide + k];
      const float* right = &y[k * kSide];
      float* sums = row.data();
      for (size_t j = 0; j < kSide; ++j) sums[j] += left * right[j];
    }
    for (size_t j = 0; j < kSide; ++j) c.set_number(static_cast<int64_t>(i * kSide + j), row[j]);
  }
  return c;
}

}  // namespace

int main() {
  const auto inputs = examples::small_numbers(matmul());
  const vantage::Tensor expected = plain_loops(inputs[0], inputs[1]);
  const std::pair<const char*, ir::PrimFunc> steps[] = {
      {"Plain loops", matmul()},
      {"Split", split(matmul()).s.function()},
      {"Reordered", reordered(matmul()).s.function()},
      {"Vectorized", vectorized(matmul()).s.function()},
      {"Parallel", parallel(matmul()).s.function()},
      {"Packed", packed().s.function()},
      {"Summed in registers", cached().s.function()},
  };
  double plain = 0;
  for (const auto& [name, function] : steps) {
    const bool slow = std::string(name) == "Plain loops" || std::string(name) == "Split";
    const int threads = std::string(name) == "Plain loops" ? 1 : 0;
    const examples::CpuRun run = examples::run_on_cpu(function, inputs, threads, slow ? 1 : 5);
    if (const auto difference = vantage::difference(expected, run.arrays[2])) {
      fmt::print(stderr, "error: {}: {}\n", name, *difference);
      return 1;
    }
    if (plain == 0) plain = run.milliseconds;
    fmt::print("{}:\n{}\n", name, to_text(function));
    fmt::print(stderr, "{:<20} {:>9.2f} ms {:>7.1f} GOPS {:>6.1f}x\n", name, run.milliseconds,
               2e-6 * kSize * kSize * kSize / run.milliseconds, plain / run.milliseconds);
  }
  fmt::print("All steps compute the same.\n");
  return 0;
}
