// Rolling keeps what overlapping windows share: each element is made once, and all that is read is there.
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
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
        {10, 10},
        [&](Expr i, Expr j) {
          return if_then_else(i >= 1 && i < 9 && j >= 1 && j < 9, x(i - 1, j - 1), 0);
        },
        name + "_pad");
    const ReduceAxis y = reduce_axis(3, "y"), z = reduce_axis(3, "z");
    return compute(
        {8, 8}, [&](Expr i, Expr j) { return sum(padded(i + y, j + z) * w(y, z), {y, z}); }, name);
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

}  // namespace vantage::test::compiler_schedule_rolling_buffer_test
