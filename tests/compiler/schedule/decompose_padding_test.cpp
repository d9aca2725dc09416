// A padding in two: all of it filled, and the inside copied.
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/check_same.h"

namespace vantage::test::compiler_schedule_decompose_padding_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

// P = A with `before` and `after` rows of sevens, and a column of them on each side; C = P's sums of two rows.
ir::PrimFunc padded(int64_t rows, int64_t before, int64_t after, bool constant_first = false) {
  const te::Tensor a = placeholder({rows, 5}, kInt32, "A");
  const te::Tensor p = compute(
      {rows + before + after, 7},
      [&](Expr i, Expr j) {
        const Expr inside = i >= before && i < rows + before && j > 0 && j <= 5;
        const Expr value = a(i - before, j - 1);
        return constant_first ? if_then_else(!inside, 7, value) : if_then_else(inside, value, 7);
      },
      "P");
  const te::Tensor c = compute(
      {rows + before + after - 1, 7}, [&](Expr i, Expr j) { return p(i, j) + p(i + 1, j); }, "C");
  return create_prim_func({a, c}, "padded");
}

}  // namespace

TEST_CASE("a padding is filled and its inside copied", "[unit]") {
  for (const bool constant_first : {false, true}) {
    const ir::PrimFunc original = padded(4, 2, 1, constant_first);
    for (const char* loop : {"i", "j"}) {
      Schedule s(original);
      const auto fill = s.decompose_padding(s.get_block("P"), s.get_loop(s.get_block("P"), loop));
      check_same(original, s.function());
      // Both go on being scheduled.
      s.vectorize(s.get_loop(fill, "j"));
      s.split(s.get_loop(s.get_block("P"), "j"), {std::nullopt, 2});
      check_same(original, s.function());
    }
  }
}

TEST_CASE("only the inside is copied where a loop alone says what is inside", "[unit]") {
  Schedule s(padded(4, 2, 1));
  const auto block = s.get_block("P");
  const auto i = s.get_loop(block, "i");
  s.decompose_padding(block, i);
  const std::string text = ir::to_text(s.function());
  CHECK_THAT(text, ContainsSubstring("T.axis.spatial((2, 6), ") && !ContainsSubstring("T.where"));
  // The handle of a loop that became shorter is still its.
  s.split(i, {2, 2});
}

TEST_CASE("a padding that was split, bound or moved stays right", "[unit]") {
  const ir::PrimFunc original = padded(6, 1, 2);
  Schedule split(original);
  const auto rows = split.split(split.get_loop(split.get_block("P"), "i"), {std::nullopt, 4});
  split.decompose_padding(split.get_block("P"), rows[1]);
  check_same(original, split.function());

  Schedule parallel(original);
  const auto i = parallel.get_loop(parallel.get_block("P"), "i");
  parallel.parallel(i);
  parallel.decompose_padding(parallel.get_block("P"), i);
  check_same(original, parallel.function());

  Schedule moved(original);
  moved.compute_at(moved.get_block("P"), moved.get_loop(moved.get_block("C"), "i"));
  moved.decompose_padding(moved.get_block("P"), moved.get_loops(moved.get_block("P"))[1]);
  check_same(original, moved.function());
}

TEST_CASE("what is copied does not come before what fills", "[unit]") {
  const te::Tensor a = placeholder({4}, kInt32, "A");
  const te::Tensor b = compute(
      {4}, [&](Expr i) { return a(i) + 1; }, "B");
  const te::Tensor p = compute(
      {6}, [&](Expr i) { return if_then_else(i >= 1 && i < 5, b(i - 1), 0); }, "P");
  Schedule s(create_prim_func({a, p}, "f"));
  const auto block = s.get_block("P");
  s.decompose_padding(block, s.get_loop(block, "i"));
  CHECK(ERROR_OF(s.reverse_compute_at(block, s.get_loop(s.get_block("B"), "i"))) ==
        "reverse_compute_at: the block P_pad writes P before P does, and would come after it in the loop i");
  CHECK(ERROR_OF(s.reverse_compute_inline(block)) == "reverse_compute_inline: other blocks than P write P as well");
}

TEST_CASE("what is no padding is refused", "[unit]") {
  Schedule s(padded(4, 2, 1));
  const auto p = s.get_block("P"), c = s.get_block("C");
  CHECK(ERROR_OF(s.decompose_padding(c, s.get_loop(c, "i"))) ==
        "decompose_padding: the block C is no padding; expected one that stores if_then_else(condition, value, "
        "constant)");
  CHECK(ERROR_OF(s.decompose_padding(p, s.get_loop(c, "i"))) ==
        "decompose_padding: the loop i is not around the block P");

  const te::Tensor a = placeholder({8}, kInt32, "A");
  Schedule by_data(create_prim_func({a, compute(
                                            {8}, [&](Expr i) { return if_then_else(a(i) > 0, a(i), 0); }, "B")}));
  const auto b = by_data.get_block("B");
  CHECK(ERROR_OF(by_data.decompose_padding(b, by_data.get_loop(b, "i"))) ==
        "decompose_padding: the block B chooses by 'A[vi] > 0', by what it reads; expected a condition on its axes");
}

}  // namespace vantage::test::compiler_schedule_decompose_padding_test
