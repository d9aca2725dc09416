// Drawn numbers: the same from the same seed, in the trace, and to be decided otherwise.
#include "compiler/schedule/sampling.h"

#include "base/json.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/check_same.h"

namespace vantage::test::compiler_schedule_sampling_test {

using namespace vantage;
using namespace vantage::te;
using namespace vantage::schedule;

namespace {

ir::PrimFunc increment(const Expr& size) {
  const te::Tensor a = placeholder({size}, kInt32, "A");
  return create_prim_func({a, compute(
                                  {size}, [&](Expr i) { return a(i) + 1; }, "B")},
                          "f");
}

void tile(Schedule& s) {
  const LoopRV i = s.get_loop(s.get_block("B"), "i");
  const auto parts = s.sample_perfect_tile(i, 3, 8);
  const auto loops = s.split(i, {parts[0], parts[1], parts[2]});
  s.annotate(loops[0], "user.depth", s.sample_categorical({4, 16, 64}, {0.25, 0.25, 0.5}));
}

}  // namespace

TEST_CASE("factors make the extent, and all of them come up", "[unit]") {
  std::mt19937_64 random(1);
  std::map<Decision, int> seen;
  for (int i = 0; i < 300; ++i) {
    const Decision factors = draw_perfect_tile(24, 2, 8, random);
    CHECK_NOTHROW(require_perfect_tile(factors, 24, 2, 8));
    ++seen[factors];
  }
  CHECK(seen.size() == 6);  // 1, 2, 3, 4, 6 and 8 inside
  CHECK(draw_perfect_tile(13, 3, 1, random).back() == 1);
  CHECK(draw_perfect_tile(7, 1, 7, random) == Decision{7});
}

TEST_CASE("candidates come up as often as their probabilities say", "[unit]") {
  std::mt19937_64 random(1);
  std::vector<int> seen(4);
  for (int i = 0; i < 4000; ++i) ++seen[static_cast<size_t>(draw_categorical({0.5, 0, 0.25, 0.25}, random))];
  CHECK(seen[1] == 0);
  CHECK(std::abs(seen[0] - 2000) < 200);
  CHECK(std::abs(seen[2] - 1000) < 200);
}

TEST_CASE("a seed decides, and a replay does the same", "[unit]") {
  Schedule first(increment(96), {}, 7), second(increment(96), {}, 7), other(increment(96), {}, 8);
  for (Schedule* s : {&first, &second, &other}) tile(*s);
  CHECK(to_cpp(first.trace()) == to_cpp(second.trace()));
  CHECK(to_cpp(first.trace()) != to_cpp(other.trace()));
  Schedule again(increment(96), {}, 9);
  again.replay(trace_from_json(parse_json(to_json(first.trace()).dump(), "trace")));
  CHECK(ir::structural_equal(again.function(), first.function()));
  CHECK(to_cpp(again.trace()) == to_cpp(first.trace()));
}

TEST_CASE("a trace says what was drawn, and can be decided otherwise", "[unit]") {
  Schedule s(increment(96), {}, 7);
  const LoopRV i = s.get_loop(s.get_block("B"), "i");
  const auto parts = s.sample_perfect_tile(i, 2, 8, {24, 4});
  CHECK(s.value(parts[1]) == 4);
  s.split(i, {parts[0], parts[1]});
  CHECK(to_cpp(s.trace()) ==
        "const auto b0 = sch.get_block(\"B\");\n"
        "const auto l0 = sch.get_loop(b0, \"i\");\n"
        "const auto n0 = sch.sample_perfect_tile(l0, 2, 8, {24, 4});\n"
        "const auto l1 = sch.split(l0, {n0[0], n0[1]});\n");
  CHECK(decision(s.trace()[1]) == std::nullopt);
  REQUIRE(decision(s.trace()[2]) == Decision{24, 4});
  Schedule changed(increment(96));
  changed.replay(with_decision(s.trace(), 2, {12, 8}));
  CHECK_THAT(ir::to_text(changed.function()), ContainsSubstring("for i_0, i_1 in T.grid(12, 8):"));
  check_same(s.function(), changed.function());
  Schedule refused(increment(96));
  CHECK(ERROR_OF(refused.replay(with_decision(s.trace(), 2, {12, 7}))) ==
        "step 2 of the trace, sample_perfect_tile: sample_perfect_tile: the factors 12, 7 do not make 96 iterations");
  CHECK(ERROR_OF(with_decision(s.trace(), 1, {1})) ==
        "step 1 of the trace, get_loop, draws nothing that could be decided otherwise");
  CHECK(ERROR_OF(with_decision(s.trace(), 9, {1})) == "the trace has 4 steps, there is no step 9");
}

TEST_CASE("a choice among candidates can be decided otherwise", "[unit]") {
  Schedule s(increment(96));
  const IntRV depth = s.sample_categorical({4, 16}, {0.5, 0.5}, 1);
  CHECK(s.value(depth) == 16);
  s.annotate(s.get_loop(s.get_block("B"), "i"), "user.depth", depth);
  CHECK_THAT(to_cpp(s.trace()),
             ContainsSubstring("const auto n0 = sch.sample_categorical({4, 16}, {0.5, 0.5}, 1);\n") &&
                 ContainsSubstring("sch.annotate(l0, \"user.depth\", n0);\n"));
  Schedule changed(increment(96));
  changed.replay(with_decision(s.trace(), 0, {0}));
  CHECK_THAT(ir::to_text(changed.function()), ContainsSubstring("\"user.depth\": 4"));
}

TEST_CASE("what cannot be drawn is refused", "[unit]") {
  Schedule s(increment(96));
  const LoopRV i = s.get_loop(s.get_block("B"), "i");
  CHECK(ERROR_OF(s.sample_perfect_tile(i, 0, 8)) ==
        "sample_perfect_tile: a loop is to be split into 0 parts, expected 1 to 64");
  CHECK(ERROR_OF(s.sample_perfect_tile(i, 2, 0)) ==
        "sample_perfect_tile: the innermost part is to have at most 0 iterations, expected at least 1");
  CHECK(ERROR_OF(s.sample_perfect_tile(i, 1, 8)) == "sample_perfect_tile: the innermost factor 96 is more than 8");
  CHECK(ERROR_OF(s.sample_perfect_tile(i, 3, 8, {12, 8})) ==
        "sample_perfect_tile: the decision has 2 factors, expected 3");
  CHECK(ERROR_OF(s.sample_categorical({1, 2}, {0.5, 0.25})) ==
        "sample_categorical: the probabilities add up to 0.75, expected 1");
  CHECK(ERROR_OF(s.sample_categorical({1, 2}, {1.5, -0.5})) == "sample_categorical: the probability -0.5 is below 0");
  CHECK(ERROR_OF(s.sample_categorical({1, 2, 3}, {0.5, 0.5})) ==
        "sample_categorical: 3 candidates have 2 probabilities, expected one each");
  CHECK(ERROR_OF(s.sample_categorical({1, 2}, {0.5, 0.5}, 2)) ==
        "sample_categorical: the decision is 2, expected the place of one of 2 candidates, from 0 on");
  CHECK(ERROR_OF(s.value(IntRV{3})) == "this is no number of this schedule");
  CHECK(ERROR_OF(s.split(i, {IntRV{3}, std::nullopt})) == "this is no number of this schedule");
  const ir::Var n("n");
  Schedule symbolic(increment(n));
  const LoopRV unknown = symbolic.get_loop(symbolic.get_block("B"), "i");
  CHECK(ERROR_OF(symbolic.sample_perfect_tile(unknown, 2, 8)) ==
        "sample_perfect_tile: the loop i has no constant number of iterations");
}

}  // namespace vantage::test::compiler_schedule_sampling_test
