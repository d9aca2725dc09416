// Rolling keeps what overlapping windows share: each element is made once, and all that is read is there.
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/check_same.h"

namespace vantage::test::compiler_schedule_rolling_buffer_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

// B = A * 2 + 1, C[i, j] = B[i * stride + 0, j] + ... + B[i * stride + window - 1, j]
ir::PrimFunc windows(int64_t rows, int64_t columns, int64_t window, int64_t stride = 1) {
  const te::Tensor a = placeholder({rows, columns}, kInt32, "A");
  const te::Tensor b = compute(
      {rows, columns}, [&](Expr i, Expr j) { return a(i, j) * 2 + 1; }, "B");
  const ReduceAxis r = reduce_axis(window, "r");
  const te::Tensor c = compute(
      {(rows - window) / stride + 1, columns}, [&](Expr i, Expr j) { return sum(b(i * stride + r, j), {r}); }, "C");
  return create_prim_func({a, c}, "windows");
}

}  // namespace

TEST_CASE("rows that windows share are made once", "[unit]") {
  for (const auto& [rows, window, stride] : {std::tuple{10, 3, 1}, {11, 4, 2}, {9, 3, 2}, {5, 5, 1}, {12, 4, 3}}) {
    const ir::PrimFunc original = windows(rows, 4, window, stride);
    Schedule s(original);
    s.compute_at(s.get_block("B"), s.get_loop(s.get_block("C"), "i"));
    s.rolling_buffer(s.get_block("B"));
    test::check_same(original, s.function());
  }
}

TEST_CASE("a loop that rolls may be split afterwards, and its outer loops run at once", "[unit]") {
  const ir::PrimFunc original = windows(12, 4, 3);
  Schedule s(original);
  const auto j = s.get_loop(s.get_block("C"), "j"), i = s.get_loop(s.get_block("C"), "i");
  s.reorder({j, i});
  s.compute_at(s.get_block("B"), i);
  s.rolling_buffer(s.get_block("B"));
  s.split(i, {std::nullopt, 4});
  s.parallel(j);
  test::check_same(original, s.function());
}

TEST_CASE("tiles roll inside, beginning anew", "[unit]") {
  for (const int64_t tile : {2, 3, 4}) {
    const ir::PrimFunc original = windows(12, 4, 3);
    Schedule s(original);
    const auto rows = s.split(s.get_loop(s.get_block("C"), "i"), {std::nullopt, tile});
    s.compute_at(s.get_block("B"), rows[1]);
    s.rolling_buffer(s.get_block("B"));
    test::check_same(original, s.function());
  }
}

TEST_CASE("a chain of windows rolls at every step", "[unit]") {
  const te::Tensor a = placeholder({14, 5}, kInt32, "A");
  const auto step = [](const te::Tensor& x, int64_t rows, const char* name) {
    return compute(
        {rows, 5}, [&](Expr i, Expr j) { return max(x(i, j), x(i + 2, j)) + x(i + 1, j); }, name);
  };
  const te::Tensor b = step(a, 12, "B"), c = step(b, 10, "C"), d = step(c, 8, "D");
  const ir::PrimFunc original = create_prim_func({a, d}, "chain");
  for (const bool inner_first : {false, true}) {
    Schedule s(original);
    const auto i = s.get_loop(s.get_block("D"), "i");
    s.compute_at(s.get_block("C"), i);
    s.compute_at(s.get_block("B"), i);
    for (const char* name : {inner_first ? "B" : "C", inner_first ? "C" : "B"}) s.rolling_buffer(s.get_block(name));
    test::check_same(original, s.function());
  }
}

TEST_CASE("a convolution of a convolution rolls, with zeros around", "[unit]") {
  const te::Tensor a = placeholder({8, 8}, kInt32, "A"), w = placeholder({3, 3}, kInt32, "W");
  const auto convolve = [&](const te::Tensor& x, const std::string& name) {
    const te::Tensor padded = compute(
        {10, 10}, [&](Expr i, Expr j) { return if_then_else(i >= 1 && i < 9 && j >= 1 && j < 9, x(i - 1, j - 1), 0); },
        name + "_pad");
    const ReduceAxis y = reduce_axis(3, "y"), z = reduce_axis(3, "z");
    return compute(
        {8, 8},
        [&](Expr i, Expr j) {
          return sum(padded(i + y, j + z) * w(y, z), {y, z});
        },
        name);
  };
  const te::Tensor b = convolve(a, "B"), c = convolve(b, "C");
  const ir::PrimFunc original = create_prim_func({a, w, c}, "twice");
  Schedule s(original);
  const auto i = s.get_loop(s.get_block("C"), "i");
  s.compute_inline(s.get_block("C_pad"));
  s.compute_at(s.get_block("B"), i);
  s.rolling_buffer(s.get_block("B"));
  s.decompose_reduction(s.get_block("B"), s.get_loops(s.get_block("B"))[1]);
  test::check_same(original, s.function());
}

TEST_CASE("what cannot roll is refused with the reason", "[unit]") {
  // With B in a loop of C, and something done to them.
  const auto refused = [](const ir::PrimFunc& function, const std::function<void(Schedule&)>& prepare = {}) {
    Schedule s(function);
    s.compute_at(s.get_block("B"), s.get_loop(s.get_block("C"), "i"));
    if (prepare) prepare(s);
    const std::string before = ir::to_text(s.function());
    const std::string message = ERROR_OF(s.rolling_buffer(s.get_block("B")));
    CHECK(ir::to_text(s.function()) == before);
    return message;
  };
  CHECK(
      refused(windows(12, 4, 3), [](Schedule& s) { s.parallel(s.get_loop(s.get_block("C"), "i")); }) ==
      "rolling_buffer: the loop i does not run one iteration after another, so the iteration that has made the rest of "
      "B may not be done, or be another thread's; roll in a sequential loop");
  CHECK_THAT(refused(windows(12, 4, 3), [](Schedule& s) { s.bind(s.get_loop(s.get_block("C"), "i"), "threadIdx.x"); }),
             ContainsSubstring("rolling_buffer: the loop i does not run one iteration after another"));
  CHECK(
      refused(windows(12, 4, 3, 3)) ==
      "rolling_buffer: an iteration of the loop i makes 3 of B and the next one moves on by 3, so none is made twice");
  CHECK(refused(windows(12, 4, 3), [](Schedule& s) { s.double_buffer(s.get_block("B")); }) ==
        "rolling_buffer: B is double buffered: its iterations take turns in several places, and keep nothing");
  CHECK(refused(windows(12, 4, 3), [](Schedule& s) { s.rolling_buffer(s.get_block("B")); }) ==
        "rolling_buffer: the block B rolls already");
  CHECK_THAT(refused(windows(12, 4, 3),
                     [](Schedule& s) {
                       s.split(s.get_loop(s.get_block("B"), "ax0"), {std::nullopt, 2});
                     }),
             ContainsSubstring("which may not have held in the iteration of i before"));

  Schedule s(windows(12, 4, 3));
  CHECK(ERROR_OF(s.rolling_buffer(s.get_block("C"))) ==
        "rolling_buffer: C belongs to the caller, who wants it whole; cache_write the block C first");
  CHECK(ERROR_OF(s.rolling_buffer(s.get_block("B"))) ==
        "rolling_buffer: the block B and the readers of B have no loop in common; compute_at it into one of theirs");
  const auto c = s.get_block("C");
  s.reorder({s.get_loop(c, "j"), s.get_loop(c, "r"), s.get_loop(c, "i")});
  s.compute_at(s.get_block("B"), s.get_loop(c, "r"));
  CHECK_THAT(ERROR_OF(s.rolling_buffer(s.get_block("B"))), ContainsSubstring("rolling_buffer: the loop r is for the "
                                                                             "reduction of the block C alone"));
}

TEST_CASE("what has rolled keeps its order and its place", "[unit]") {
  Schedule s(windows(12, 4, 3));
  const auto b = s.get_block("B"), c = s.get_block("C");
  const auto j = s.get_loop(c, "j"), i = s.get_loop(c, "i");
  s.reorder({j, i});
  s.compute_at(b, i);
  s.rolling_buffer(b);
  CHECK(ERROR_OF(s.parallel(i)) == "parallel: the loop i carries the steps of the block B, which need earlier ones");
  CHECK(ERROR_OF(s.bind(j, "threadIdx.x")) ==
        "bind: the loop j holds the block B, which rolling_buffer lets keep what it makes for the next iteration; run "
        "it on one thread");
  CHECK_THAT(ERROR_OF(s.reorder({i, j})), ContainsSubstring("reorder: the block B needs earlier steps of the loop i"));
  CHECK_THAT(ERROR_OF(s.compute_inline(b)), ContainsSubstring("is no formula of one element"));
  CHECK(ERROR_OF(s.double_buffer(b)) ==
        "double_buffer: B keeps what the iteration before has made (rolling_buffer), which is in one place only");
}

TEST_CASE("initial values of what rolls stay in its loop", "[unit]") {
  const te::Tensor a = placeholder({12, 4}, kInt32, "A");
  const ReduceAxis k = reduce_axis(4, "k");
  const te::Tensor b = compute(
      {12}, [&](Expr i) { return sum(a(i, k), {k}); }, "B");
  const te::Tensor c = compute(
      {10}, [&](Expr i) { return b(i) + b(i + 1) + b(i + 2); }, "C");
  const ir::PrimFunc original = create_prim_func({a, c}, "f");
  Schedule s(original);
  const auto block = s.get_block("B");
  const auto i = s.get_loop(s.get_block("C"), "i");
  s.compute_at(block, i);
  s.rolling_buffer(block);
  CHECK(ERROR_OF(s.decompose_reduction(block, i)) ==
        "decompose_reduction: rolling_buffer lets iterations of the loop i write where earlier ones of B did, so the "
        "initial values cannot be written before it; take a loop inside");
  s.decompose_reduction(block, s.get_loop(block, "ax0"));
  test::check_same(original, s.function());
}

}  // namespace vantage::test::compiler_schedule_rolling_buffer_test
