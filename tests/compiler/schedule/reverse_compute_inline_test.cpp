// A formula whose axes count through a dimension of what it reads, put into the block that makes that.
#include <algorithm>
#include <random>

#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/check_same.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_schedule_reverse_compute_inline_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Schedule;

namespace {

// P = A * 3 of [rows, columns]; R[i, y, z] = P[i, index(y, z)] + B[i, y, z].
ir::PrimFunc counted(int64_t columns, int64_t height, int64_t width, const std::function<Expr(Expr, Expr)>& index) {
  const te::Tensor a = placeholder({4, columns}, kInt32, "A"), b = placeholder({4, height, width}, kInt32, "B");
  const te::Tensor p = compute(
      {4, columns}, [&](Expr i, Expr j) { return a(i, j) * 3; }, "P");
  const te::Tensor r = compute(
      {4, height, width}, [&](Expr i, Expr y, Expr z) { return p(i, index(y, z)) + b(i, y, z); }, "R");
  return create_prim_func({a, b, r}, "counted");
}

std::string refused(const ir::PrimFunc& function) {
  Schedule s(function);
  return ERROR_OF(s.reverse_compute_inline(s.get_block("R")));
}

}  // namespace

TEST_CASE("axes that count through a dimension become its digits", "[unit]") {
  const ir::PrimFunc original = counted(40, 5, 8, [](const Expr& y, const Expr& z) { return y * 8 + z; });
  Schedule s(original);
  s.reverse_compute_inline(s.get_block("R"));
  check_same(original, s.function());
  CHECK_THAT(ir::to_text(s.function()), ContainsSubstring("R[vi, vj // 8, vj % 8] = "));
}

TEST_CASE("of what is read in part, no more is made", "[unit]") {
  const ir::PrimFunc original = counted(40, 5, 6, [](const Expr& y, const Expr& z) { return z * 5 + y; });
  Schedule s(original);
  s.reverse_compute_inline(s.get_block("R"));
  check_same(original, s.function());
  CHECK_THAT(ir::to_text(s.function()), ContainsSubstring("T.grid(4, 30)") && !ContainsSubstring("T.where"));
  // The loop that became shorter is still one to split.
  s.split(s.get_loop(s.get_block("P"), "j"), {std::nullopt, 8});
  check_same(original, s.function());

  Schedule split(original);
  split.split(split.get_loop(split.get_block("P"), "j"), {std::nullopt, 8});
  CHECK(ERROR_OF(split.reverse_compute_inline(split.get_block("R"))) ==
        "reverse_compute_inline: only a part of what the block P makes is read, and no loop of its own counts that");
}

TEST_CASE("a block that reads two places at once stays", "[unit]") {
  const te::Tensor a = placeholder({4}, kInt32, "A");
  const te::Tensor p = (a + 1).named("P");
  const te::Tensor r = compute(
      {4, 4}, [&](Expr i, Expr j) { return p(i) - p(j); }, "R");
  CHECK(refused(create_prim_func({a, r}, "two")) ==
        "reverse_compute_inline: the block R reads P at 'vi' and at 'vj', expected one place");
}

TEST_CASE("axes that leave gaps or begin elsewhere do not count", "[unit]") {
  CHECK(refused(counted(40, 5, 6, [](const Expr& y, const Expr& z) { return y * 7 + z; })) ==
        "reverse_compute_inline: the block R reads P at 'vj * 7 + vk', expected an axis for each dimension, or axes "
        "that count its elements");
  CHECK_THAT(refused(counted(40, 5, 6, [](const Expr& y, const Expr& z) { return y * 6 + z + 1; })),
             ContainsSubstring("or axes that count its elements"));
  CHECK_THAT(refused(counted(40, 5, 6, [](const Expr& y, const Expr& z) { return y * 2 + z; })),
             ContainsSubstring("or axes that count its elements"));
}

TEST_CASE("a loop that is bound to threads does not become shorter", "[unit]") {
  Schedule bound(counted(40, 5, 6, [](const Expr& y, const Expr& z) { return y * 6 + z; }));
  bound.bind(bound.get_loop(bound.get_block("P"), "j"), "threadIdx.x");
  CHECK_THAT(ERROR_OF(bound.reverse_compute_inline(bound.get_block("R"))),
             ContainsSubstring("no loop of its own counts that"));
}

TEST_CASE("random axes in any order count through what they read", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(40); ++round) {
    const size_t rank = 1 + random() % 4;
    std::vector<Expr> shape;
    std::vector<int64_t> steps(rank);
    std::vector<size_t> order(rank);
    for (size_t d = 0; d < rank; ++d) order[d] = d;
    std::ranges::shuffle(order, random);
    std::vector<int64_t> extents(rank);
    for (int64_t& extent : extents) extent = 1 + static_cast<int64_t>(random() % 4);
    int64_t count = 1;
    for (const size_t d : order) {
      steps[d] = count;
      count *= extents[d];
    }
    for (const int64_t extent : extents) shape.emplace_back(extent);
    const int64_t size = count + static_cast<int64_t>(random() % 3);
    const te::Tensor a = placeholder({size}, kInt32, "A");
    const te::Tensor p = compute(
        {size}, [&](Expr j) { return a(j) * 3; }, "P");
    const te::Tensor r = compute(
        shape,
        [&](const std::vector<Var>& axes) {
          Expr index = 0;
          for (size_t d = 0; d < rank; ++d) index = index + axes[d] * steps[d];
          return te::Body(p(index) + 1);
        },
        "R");
    const ir::PrimFunc original = create_prim_func({a, r}, "digits");
    INFO(ir::to_text(original));
    Schedule s(original);
    s.reverse_compute_inline(s.get_block("R"));
    INFO(ir::to_text(s.function()));
    check_same(original, s.function());
  }
}

}  // namespace vantage::test::compiler_schedule_reverse_compute_inline_test
