#include "compiler/passes/unroll_loops.h"

#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/printer.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/simplify.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"

namespace vantage::test::compiler_unroll_loops_test {

using namespace vantage;
using namespace vantage::te;

namespace {

// B = A + 1 of this shape with its first `count` loops unrolled, up to the pass.
ir::PrimFunc unrolled(const std::vector<int64_t>& shape, size_t count) {
  std::vector<Expr> sizes(shape.begin(), shape.end());
  const te::Tensor a = placeholder(sizes, kInt32, "A");
  const te::Tensor b = compute(
      sizes, [&](Expr i, Expr j, Expr k) { return a(i, j, k) + 1; }, "B");
  schedule::Schedule s(create_prim_func({a, b}, "f"));
  const auto loops = s.get_loops(s.get_block("B"));
  for (size_t i = 0; i < count; ++i) s.unroll(loops[i]);
  return passes::lower_blocks(s.function());
}

}  // namespace

TEST_CASE("an unroll that explodes is refused with its size", "[unit]") {
  CHECK_NOTHROW(passes::unroll_loops(unrolled({32, 32, 8}, 2)));
  CHECK(ERROR_OF(unrolled({64, 64, 8}, 2)) ==
        "unroll: i around j would be written out as 4096 statements, more than 1024; split, and unroll fewer "
        "iterations");
  CHECK_THAT(ERROR_OF(unrolled({1 << 24, 2, 2}, 1)), ContainsSubstring("unroll: i would be written out as 16777216"));
  const int64_t large = int64_t{1} << 30;
  CHECK_THAT(ERROR_OF(unrolled({32, 16, large}, 3)),
             ContainsSubstring("i around j around k would be written out as 549755813888"));
}

TEST_CASE("the pass refuses what became too much after unroll", "[unit]") {
  // What is moved into an unrolled loop is written out with it.
  const te::Tensor a = placeholder({1024, 4}, kInt32, "A");
  const te::Tensor b = compute(
      {1024, 4}, [&](Expr i, Expr j) { return a(i, j) + 1; }, "B");
  const te::Tensor c = compute(
      {1024, 4}, [&](Expr i, Expr j) { return b(i, j) * 2; }, "C");
  schedule::Schedule s(create_prim_func({a, c}, "f"));
  const auto loop = s.get_loop(s.get_block("C"), "i");
  s.unroll(loop);
  s.compute_at(s.get_block("B"), loop);
  CHECK(ERROR_OF(passes::unroll_loops(passes::lower_blocks(s.function()))) ==
        "unroll: i would be written out as 2048 statements, more than 1024; split, and unroll fewer iterations");
}

TEST_CASE("iterations in which a condition never holds are nothing", "[unit]") {
  const ir::Buffer a = ir::make_buffer("A", {4}, kInt32);
  const Var i("i");
  const auto unrolled = [&](const Expr& condition) {
    ir::PrimFunc f;
    f.params = {a};
    const ir::Stmt body = ir::make_stmt(ir::If(condition, ir::store(a, {i}, 1), {}));
    f.body = ir::loop(ir::ForKind::kUnrolled, i, 4, body);
    return passes::simplify(passes::unroll_loops(std::move(f)));
  };
  CHECK(to_text(unrolled(i == 2).body) == "A[2] = 1\n");
  const ir::PrimFunc nothing = unrolled(i > 4);
  CHECK(!nothing.body);
  vantage::Tensor array(kInt32, {4});
  CHECK_NOTHROW(ir::interpret(nothing, {&array}));
}

}  // namespace vantage::test::compiler_unroll_loops_test
