// What tensorize takes out of a reduction by itself costs no more than what the user takes out.
#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "compiler/ir/printer.h"
#include "compiler/te/te.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/check_compiled.h"

namespace vantage::test::backend_vta_tensorize_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

// 1 x 1024 by 1024 x 1024, and a shift.
ir::PrimFunc matmul() {
  const int batch = kConfig.batch(), block = kConfig.block_out();
  const int64_t n = 64, k = 64;
  const te::Tensor a = placeholder({1, k, batch, block}, kInt8, "A"), b = placeholder({n, k, block, block}, kInt8, "B");
  const ReduceAxis ko = reduce_axis(k, "ko"), ki = reduce_axis(block, "ki");
  const std::vector<Expr> shape = {1, n, batch, block};
  const te::Tensor sums = compute(
      shape,
      [&](Expr bo, Expr co, Expr bi, Expr ci) {
        return sum(cast(kInt32, a(bo, ko, bi, ki)) * cast(kInt32, b(co, ko, ci, ki)), {ko, ki});
      },
      "sums");
  const te::Tensor shifted = compute(
      shape, [&](Expr bo, Expr co, Expr bi, Expr ci) { return sums(bo, co, bi, ci) >> 8; }, "shifted");
  const te::Tensor c = compute(
      shape, [&](Expr bo, Expr co, Expr bi, Expr ci) { return cast(kInt8, shifted(bo, co, bi, ci)); }, "C");
  return create_prim_func({a, b, c}, "matmul");
}

// 256 columns at a time, the sum in four parts, as the tutorial on blocked products has it.
Schedule blocked(const ir::PrimFunc& function, bool decomposed) {
  Schedule s(function, vta::intrinsics(kConfig));
  const auto out = s.get_block("C"), gemm = s.get_block("sums");
  const auto loops = s.get_loops(out);
  const auto columns = s.split_by_factor(loops[1], 16);
  s.reorder({columns[0], loops[0], columns[1], loops[2], loops[3]});
  for (const char* name : {"shifted", "sums"}) s.compute_at(s.get_block(name), columns[0]);
  const auto inner = s.get_loops(gemm);  // columns, then bo co bi ci ko ki
  const auto depth = s.split_by_factor(inner[5], 16);
  s.reorder({depth[0], inner[1], inner[2], depth[1], inner[3], inner[4], inner[6]});
  for (const char* name : {"shifted", "sums"}) s.set_scope(s.get_block(name), "vta.acc");
  for (const auto& [name, scope] : {std::pair("A", "vta.inp"), {"B", "vta.wgt"}}) {
    const auto load = s.cache_read(gemm, name, scope);
    s.compute_at(load, depth[0]);
    s.pragma(s.get_loops(load)[2], "dma_copy");
  }
  s.pragma(loops[0], "dma_copy");
  if (decomposed) s.decompose_reduction(gemm, depth[0]);
  s.tensorize(inner[3], "vta.gemm");
  return s;
}

}  // namespace

TEST_CASE("a blocked product without decompose_reduction is the same program as with it", "[unit]") {
  const ir::PrimFunc function = matmul();
  const Schedule with = blocked(function, true), without = blocked(function, false);
  INFO(ir::to_text(without.function()));
  CHECK_THAT(ir::to_text(without.function()), ContainsSubstring("T.vta.reset("));
  const Program expected = vta::compile(with.function(), kConfig), got = vta::compile(without.function(), kConfig);
  CHECK(got.insns.size() == expected.insns.size());
  CHECK(got.uops.size() == expected.uops.size());
  CHECK(vta::estimate_cycles(got, {}) == vta::estimate_cycles(expected, {}));
  CHECK(disassemble(got) == disassemble(expected));
  std::mt19937_64 random(1);
  CHECK(test::check_compiled(function, without.function(), kConfig, random) == "");
}

}  // namespace vantage::test::backend_vta_tensorize_test
