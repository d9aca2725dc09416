// Loops by name.
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"

namespace vantage::test::compiler_schedule_get_loop_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

// C = (A + 1) * 2, in two steps.
ir::PrimFunc chain() {
  const te::Tensor a = placeholder({8, 8}, kInt32, "A");
  const te::Tensor b = compute(
      {8, 8}, [&](Expr i, Expr j) { return a(i, j) + 1; }, "B");
  const te::Tensor c = compute(
      {8, 8}, [&](Expr i, Expr j) { return b(i, j) * 2; }, "C");
  return create_prim_func({a, c}, "f");
}

}  // namespace

TEST_CASE("a loop is found by the name that is printed and by its own", "[unit]") {
  // C's loops print as i_1 and j_1, because B's stand before them.
  for (const char* name : {"i", "i_1"}) {
    Schedule s(chain());
    const auto c = s.get_block("C");
    s.parallel(s.get_loop(c, name));
    CHECK_THAT(ir::to_text(s.function()), ContainsSubstring("for i_1 in T.parallel(8):"));
    CHECK(to_cpp(s.trace()) == fmt::format("const auto b0 = sch.get_block(\"C\");\nconst auto l0 = sch.get_loop(b0, "
                                           "\"{}\");\nsch.parallel(l0);\n",
                                           name));
  }
}

TEST_CASE("splits and fusions are named by what they were made of", "[unit]") {
  Schedule s(chain());
  const auto b = s.get_block("B");
  s.split(s.get_loop(b, "i"), {2, 2, 2});
  s.fuse({s.get_loop(b, "i_1"), s.get_loop(b, "i_2")});
  s.unroll(s.get_loop(b, "i_1_i_2_fused"));
  s.parallel(s.get_loop(b, "i_0"));
}

TEST_CASE("a loop that is not there, or could be several, is refused", "[unit]") {
  Schedule s(chain());
  const auto b = s.get_block("B"), c = s.get_block("C");
  CHECK(ERROR_OF(s.get_loop(c, "k")) ==
        "get_loop: the loops around the block C are printed as i_1, j_1, and none is called 'k'");
  s.split(s.get_loop(b, "i"), {2, 2, 2});
  CHECK(
      ERROR_OF(s.get_loop(b, "i_3")) ==
      "get_loop: the loops around the block B are printed as i_0, i_1, i_2, j, and none is called 'i_3'; did you mean "
      "'i_0', 'i_1' or 'i_2'?");
  Schedule inner(chain());
  inner.compute_at(inner.get_block("B"), inner.get_loop(inner.get_block("C"), "i"));
  const auto moved = inner.get_block("B");
  CHECK(ERROR_OF(inner.get_loop(moved, "ax2")) ==
        "get_loop: the loops around the block B are printed as i, ax0, ax1, and none is called 'ax2'; did you mean "
        "'ax0' or 'ax1'?");
}

TEST_CASE("a name that is printed for one loop and is another one's own is refused", "[unit]") {
  // C's i prints as i_1, because B's stands before it, and its i_1 as i_1_1.
  const te::Tensor a = placeholder({8, 4}, kInt32, "A");
  const te::Tensor b = compute(
      {8, 4}, [&](Expr i, Expr j) { return a(i, j) + 1; }, "B");
  const ReduceAxis k = reduce_axis(4, "i_1");
  const te::Tensor c = compute(
      {8}, [&](Expr i) { return sum(b(i, k), {k}); }, "C");
  Schedule s(create_prim_func({a, c}, "f"));
  const auto block = s.get_block("C");
  CHECK(ERROR_OF(s.get_loop(block, "i_1")) ==
        "get_loop: the loops around the block C are printed as i_1, i_1_1; 'i_1' is also the own name of i_1_1: call "
        "that so, and the other i");
  s.parallel(s.get_loop(block, "i"));
  s.unroll(s.get_loop(block, "i_1_1"));
}

}  // namespace vantage::test::compiler_schedule_get_loop_test
