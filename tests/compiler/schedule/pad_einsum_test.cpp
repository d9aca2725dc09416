// Sums of products whose axes become longer.
#include <algorithm>
#include <random>

#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/check_same.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_schedule_pad_einsum_test {

using namespace te;
using schedule::BlockRV;
using schedule::Schedule;
using te::Tensor;  // not the host's

namespace {

ir::PrimFunc product(int64_t rows, int64_t columns, int64_t depth) {
  const Tensor a = placeholder({rows, depth}, kFloat32, "A");
  const Tensor b = placeholder({columns, depth}, kFloat32, "B");
  const ReduceAxis k = reduce_axis(depth, "k");
  const Tensor c = compute(
      {rows, columns}, [&](Expr i, Expr j) { return sum(a(i, k) * b(j, k), {k}); }, "C");
  const Tensor d = compute(
      {rows, columns}, [&](Expr i, Expr j) { return c(i, j) + 1; }, "D");
  return create_prim_func({a, b, d}, "product");
}

}  // namespace

TEST_CASE("axes of a sum of products become multiples", "[unit]") {
  const ir::PrimFunc original = product(5, 6, 7);
  Schedule s(original);
  s.pad_einsum(s.get_block("C"), {4, 4, 4});
  check_same(original, s.function());
  CHECK_THAT(ir::to_text(s.function()), ContainsSubstring(R"(
    for ax0, ax1 in T.grid(8, 8):
        with T.block("A_pad"):
            v0 = T.axis.spatial(8, ax0)
            v1 = T.axis.spatial(8, ax1)
            T.reads(A[v0, v1])
            T.writes(A_pad[v0, v1])
            A_pad[v0, v1] = T.if_then_else(v0 < 5 and v1 < 7, A[v0, v1], T.float32(0))
)"));
  // Tiles go into them, what fills moves into a tile, and what cuts into what reads.
  const BlockRV c = s.get_block("C");
  const auto loops = s.get_loops(c);
  const auto i = s.split(loops[0], {std::nullopt, 4});
  const auto k = s.split(loops[2], {std::nullopt, 4});
  s.reorder({i[0], k[0], i[1], loops[1], k[1]});
  for (const char* fill : {"A_pad", "B_pad"}) s.compute_at(s.get_block(fill), k[0]);
  s.compute_inline(s.get_block("C_pad"));
  s.decompose_reduction(c, k[0]);
  check_same(original, s.function());
  CHECK_THAT(ir::to_text(s.function()), !ContainsSubstring("T.where"));
}

TEST_CASE("what stays as it is needs no copy", "[unit]") {
  const ir::PrimFunc original = product(8, 6, 7);
  Schedule s(original);
  SECTION("a side") {
    s.pad_einsum(s.get_block("C"), {1, 4, 1});
    const std::string text = ir::to_text(s.function());
    CHECK_THAT(text, ContainsSubstring("B_pad = ") && ContainsSubstring("C_pad = ") && !ContainsSubstring("A_pad"));
  }
  SECTION("the sum") {
    s.pad_einsum(s.get_block("C"), {4, 1, 4});
    const std::string text = ir::to_text(s.function());
    CHECK_THAT(text, ContainsSubstring("A_pad = ") && ContainsSubstring("B_pad = ") && !ContainsSubstring("C_pad"));
  }
  SECTION("all") {
    s.pad_einsum(s.get_block("C"), {4, 3, 7});
    CHECK(ir::to_text(s.function()) == ir::to_text(original));
  }
  check_same(original, s.function());
}

TEST_CASE("what is read inside of a condition is copied where it is", "[unit]") {
  const Tensor a = placeholder({4, 6}, kFloat32, "A"), b = placeholder({6, 5}, kFloat32, "B");
  const ReduceAxis k = reduce_axis(6, "k");
  const bool by_value = GENERATE(true, false);
  const Tensor c = compute(
      {7, 5},
      [&](Expr i, Expr j) {
        return by_value ? sum(if_then_else(i < 4, a(i, k), 0.0F) * b(k, j), {k}) : sum(a(i, k) * b(k, j), {k}, i < 4);
      },
      "C");
  const ir::PrimFunc original = create_prim_func({a, b, c}, "f");
  Schedule s(original);
  s.pad_einsum(s.get_block("C"), {4, 4, 4});
  check_same(original, s.function());
}

TEST_CASE("a tensor that is read twice is copied once for each manner", "[unit]") {
  const Tensor a = placeholder({5, 6}, kInt32, "A");
  const ReduceAxis k = reduce_axis(5, "k");
  const Tensor p = compute(
      {5, 5}, [&](Expr i, Expr j) { return if_then_else(j < 4, a(i, j), 0); }, "P");
  const Tensor c = compute(
      {5, 5}, [&](Expr i, Expr j) { return sum(p(i, k) * p(j, k) * p(i, k), {k}); }, "C");
  const ir::PrimFunc original = create_prim_func({a, c}, "f");
  Schedule s(original);
  s.decompose_padding(s.get_block("P"), s.get_loop(s.get_block("P"), "i"));  // its block is called P_pad
  s.pad_einsum(s.get_block("C"), {4, 1, 4});
  check_same(original, s.function());
  const std::string text = ir::to_text(s.function());
  CHECK_THAT(text, ContainsSubstring("P_pad[vi_2, vk] * P_pad_1[vj_2, vk] * P_pad[vi_2, vk]"));
  s.get_block("P_pad_1");
  s.get_block("P_pad_1_1");
}

TEST_CASE("axes of any number of values stay as they are", "[unit]") {
  const Var n = te::var("n");
  const Tensor a = placeholder({n, 6}, kInt32, "A"), b = placeholder({6, 5}, kInt32, "B");
  const ReduceAxis k = reduce_axis(6, "k");
  const Tensor c = compute(
      {n, 5}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "C");
  Schedule s(create_prim_func({a, b, c}, "f"));
  s.pad_einsum(s.get_block("C"), {1, 4, 4});
  CHECK_THAT(ir::to_text(s.function()), ContainsSubstring("A_pad = T.alloc_buffer((n, 8), \"int32\")"));
  Schedule other(create_prim_func({a, b, c}, "f"));
  CHECK_THAT(ERROR_OF(other.pad_einsum(other.get_block("C"), {2, 1, 1})), ContainsSubstring("has n values"));
}

TEST_CASE("sums that cannot be padded", "[unit]") {
  const Tensor a = placeholder({6, 6}, kFloat32, "A");
  const Tensor b = placeholder({8}, kFloat32, "B");
  const ReduceAxis k = reduce_axis(6, "k");
  const auto refused = [&](const Tensor& c, const schedule::Factors& padding, const std::string& words) {
    Schedule s(create_prim_func({a, b, c}, "f"));
    const std::string before = ir::to_text(s.function());
    CHECK_THAT(ERROR_OF(s.pad_einsum(s.get_block("C"), padding)), ContainsSubstring(words));
    CHECK(ir::to_text(s.function()) == before);
  };
  const auto of = [&](const auto& value) {
    return compute(
        {6}, [&](Expr i) { return sum(value(i), {k}); }, "C");
  };
  const Tensor plain = of([&](Expr i) { return a(i, k) * b(k); });
  refused(plain, {4}, "2 axes, and 1 paddings are given");
  refused(plain, {0, 1}, "a padding of 0");
  refused(plain, {std::nullopt, 1}, "left open");
  refused(of([&](Expr i) { return a(i, k) * b(i); }), {1, 4}, "B is not read at vk");
  refused(of([&](Expr i) { return a(i, k) * b(i + 2); }), {4, 1}, "B is at 'vi + 2'");
  refused(of([&](Expr i) { return a(i, k) + b(k); }), {1, 4}, "expected products of what it reads");
  refused(compute(
              {6}, [&](Expr i) { return max(a(i, k), {k}); }, "C"),
          {4, 1}, "is no sum");
  refused(compute(
              {6, 6}, [&](Expr i, Expr j) { return a(i, j) * b(i); }, "C"),
          {4, 1}, "is no sum");

  refused(plain, {1 << 20, 1}, "a multiple of 1 to 65536");
  const auto conditional = [&](const Expr& condition) {
    return of([&](Expr i) { return if_then_else(condition, a(i, k), 0.0F) * b(k); });
  };
  refused(conditional(ir::floor_mod(Expr(7), 8 - Expr(k)) == 0), {1, 4}, "divides by '8 - vk'");
  refused(of([&](Expr i) { return if_then_else(b(i) > 0.0F, a(i, k), 0.0F) * b(k); }), {4, 1}, "expected products");
  const auto odd = comm_reducer([](const Values& x, const Values& y) { return Values{x[0] + y[0] + 1.0F}; },
                                [](const std::vector<ir::DType>&) { return Values{Expr(-1.0F)}; }, "odd");
  refused(compute(
              {6}, [&](Expr i) { return odd({a(i, k) * b(k)}, {k}); }, "C"),
          {4, 1}, "is no sum");

  Schedule s(create_prim_func({a, b, plain}, "f"));
  s.split(s.get_loop(s.get_block("C"), "k"), {std::nullopt, 2});
  CHECK_THAT(ERROR_OF(s.pad_einsum(s.get_block("C"), {4, 4})), ContainsSubstring("before its loops are changed"));
}

// Of any axes, which any of two tensors may have, in any order.
TEST_CASE("padded sums of random products are the same", "[property]") {
  std::mt19937_64 random = test::generator(20261127);
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  for (int run = 0; run < test::rounds(40); ++run) {
    CAPTURE(run);
    const ir::DType type = std::array{kFloat32, kInt32, kFloat16}[static_cast<size_t>(pick(0, 2))];
    // Of rows, columns, both and the sum.
    std::vector<std::pair<int64_t, std::array<bool, 3>>> axes;
    for (const std::array<bool, 3> has :
         {std::array{true, false, true}, {false, true, true}, {true, true, true}, {true, true, false}}) {
      for (int64_t n = pick(has[2] ? 0 : 1, 2); n > 0; --n) axes.push_back({pick(1, 5), has});
    }
    std::array<std::vector<size_t>, 3> order;
    for (size_t t = 0; t < 3; ++t) {
      for (size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].second[t]) order[t].push_back(i);
      }
      std::ranges::shuffle(order[t], random);
    }
    const auto shape = [&](size_t t) {
      std::vector<Expr> result;
      for (const size_t i : order[t]) result.emplace_back(axes[i].first);
      return result;
    };
    const Tensor a = placeholder(shape(0), type, "A"), b = placeholder(shape(1), type, "B");
    std::vector<ReduceAxis> sums;
    for (const auto& [extent, has] : axes) {
      if (!has[2]) sums.push_back(reduce_axis(extent, fmt::format("k{}", sums.size())));
    }
    const Tensor c = compute(
        shape(2),
        [&](const std::vector<Var>& results) {
          std::vector<Expr> values(axes.size());
          for (size_t d = 0; d < order[2].size(); ++d) values[order[2][d]] = results[d];
          size_t of_sum = 0;
          for (size_t i = 0; i < axes.size(); ++i) {
            if (!axes[i].second[2]) values[i] = sums[of_sum++];
          }
          const auto at = [&](size_t t) {
            std::vector<Expr> indices;
            for (const size_t i : order[t]) indices.push_back(values[i]);
            return indices;
          };
          Expr first = a.at(at(0)), second = b.at(at(1));
          const auto one = [&] { return values[static_cast<size_t>(pick(0, static_cast<int64_t>(axes.size()) - 1))]; };
          if (pick(0, 2) == 0) first = if_then_else(one() <= one(), first, ir::make_zero(type));
          if (pick(0, 2) == 0) second = second * a.at(at(0));
          const Expr condition = pick(0, 2) == 0 ? one() < pick(1, 5) : Expr();
          te::Reduction all = sum(first * second, sums, condition);
          return pick(0, 3) == 0 ? te::starting_from(ir::make_const(type, 3), std::move(all)) : all;
        },
        "C");
    const ir::PrimFunc original = create_prim_func({a, b, c}, "random");
    Schedule s(original);
    schedule::Factors padding;
    for (size_t i = s.get_loops(s.get_block("C")).size(); i-- > 0;) padding.emplace_back(pick(1, 4));
    s.pad_einsum(s.get_block("C"), padding);
    check_same(original, s.function());
    Schedule again(original);
    again.replay(s.trace());
    CHECK(ir::to_text(again.function()) == ir::to_text(s.function()));
  }
}

}  // namespace vantage::test::compiler_schedule_pad_einsum_test
