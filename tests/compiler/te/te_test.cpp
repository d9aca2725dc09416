// What tensor expressions mean: functions made of them are interpreted and compared with plain loops.
#include "compiler/te/te.h"

#include <cmath>

#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/printer.h"
#include "tests/compiler/refusals.h"
#include "tests/support/golden.h"

namespace vantage::test::compiler_te_te_test {

using namespace vantage;
using namespace vantage::te;
using te::Tensor;

namespace {

vantage::Tensor numbers(DType type, const std::vector<int64_t>& shape, int64_t step = 1, int64_t first = 0) {
  vantage::Tensor array(type, shape);
  for (int64_t i = 0; i < array.size(); ++i) array.set_number(i, static_cast<double>(first + i * step));
  return array;
}

}  // namespace

TEST_CASE("a compute is a formula for each element", "[unit]") {
  const te::Tensor a = placeholder({3, 4}, kInt32, "A");
  const te::Tensor b = compute(
      {4, 3}, [&](Expr i, Expr j) { return a(j, i) * 10 + i; }, "B");
  const te::Tensor all = compute(
      {3, 4}, [&](const std::vector<Var>& i) { return a(i[0], i[1]) - 1; }, "all");
  vantage::Tensor in = numbers(kInt32, {3, 4}), turned(kInt32, {4, 3}), less(kInt32, {3, 4});
  ir::interpret(create_prim_func({a, b, all}), {&in, &turned, &less});
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 3; ++j) {
      CHECK(turned.at({i, j}) == static_cast<double>((j * 4 + i) * 10 + i));
      CHECK(less.at({j, i}) == static_cast<double>(j * 4 + i - 1));
    }
  }
}

TEST_CASE("an axis is of its size's type: int64 beyond 2^31 elements", "[unit]") {
  constexpr int64_t kMany = int64_t{1} << 40;
  const te::Tensor big = placeholder({kMany, 2}, kInt8, "big");
  const te::Tensor next = compute(
      {kMany, 2}, [&](Expr i, Expr j) { return big(kMany - 1 - i, j) + 1; }, "next");
  const std::string text = ir::to_text(create_prim_func({big, next}));  // which verifies that all is within bounds
  CHECK_THAT(text, Catch::Contains("for i, j in T.grid(T.int64(1099511627776), 2):"));

  const te::Tensor a = placeholder({6, 5}, kInt32, "A");
  const te::Tensor b = compute(
      {ir::make_int(kInt64, 6), 5}, [&](Expr i, Expr j) { return a(5 - i, j) + ir::cast(kInt32, i) * j; }, "B");
  vantage::Tensor in = numbers(kInt32, {6, 5}), out(kInt32, {6, 5});
  ir::interpret(create_prim_func({a, b}), {&in, &out});
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t j = 0; j < 5; ++j) CHECK(out.at({i, j}) == in.at({5 - i, j}) + static_cast<double>(i * j));
  }
}

TEST_CASE("reductions fold over their axes", "[unit]") {
  const te::Tensor a = placeholder({2, 5}, kInt32, "A");
  const ReduceAxis k = reduce_axis(5, "k"), part = reduce_axis(ir::Range{1, 3}, "part");
  const te::Tensor total = compute(
      {2}, [&](Expr i) { return sum(a(i, k), {k}); }, "total");
  const te::Tensor most = compute(
      {2}, [&](Expr i) { return max(a(i, k), {k}); }, "most");
  const te::Tensor least = compute(
      {2}, [&](Expr i) { return min(a(i, k), {k}); }, "least");
  const te::Tensor times = compute(
      {2}, [&](Expr i) { return product(a(i, part), {part}); }, "times");
  const te::Tensor even = compute(
      {2}, [&](Expr i) { return sum(a(i, k), {k}, floor_mod(a(i, k), 2) == 0); }, "even");
  vantage::Tensor in = numbers(kInt32, {2, 5}, 3, -4);  // -4 -1 2 5 8, 11 14 17 20 23
  std::vector<vantage::Tensor> out(5, vantage::Tensor(kInt32, {2}));
  ir::interpret(create_prim_func({a, total, most, least, times, even}),
                {&in, &out[0], &out[1], &out[2], &out[3], &out[4]});
  const std::vector<std::vector<double>> expected = {{10, 85}, {8, 23}, {-4, 11}, {-10, 4760}, {6, 34}};
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(out[i].at({0}) == expected[i][0]);
    CHECK(out[i].at({1}) == expected[i][1]);
  }
}

TEST_CASE("a reduction starts from a value of its element", "[unit]") {
  const te::Tensor a = placeholder({2, 5}, kInt32, "A"), b = placeholder({2}, kInt32, "B");
  const ReduceAxis k = reduce_axis(5, "k");
  const te::Tensor total = compute(
      {2}, [&](Expr i) { return starting_from(b(i) * 100, sum(a(i, k), {k})); }, "total");
  const te::Tensor most = compute(
      {2}, [&](Expr i) { return starting_from(b(i) + 19, max(a(i, k), {k})); }, "most");
  vantage::Tensor in = numbers(kInt32, {2, 5}, 3, -4), first = numbers(kInt32, {2}, 1, 1);
  std::vector<vantage::Tensor> out(2, vantage::Tensor(kInt32, {2}));
  ir::interpret(create_prim_func({a, b, total, most}), {&in, &first, &out[0], &out[1]});
  CHECK(out[0].at({0}) == 110);
  CHECK(out[0].at({1}) == 285);
  CHECK(out[1].at({0}) == 20);
  CHECK(out[1].at({1}) == 23);
}

TEST_CASE("a reducer of one's own folds several values together", "[unit]") {
  const auto argmax = comm_reducer(
      [](const Values& l, const Values& r) {
        return Values{if_then_else(l[1] >= r[1], l[0], r[0]), if_then_else(l[1] >= r[1], l[1], r[1])};
      },
      [](const std::vector<DType>& types) {
        return Values{Expr(-1), min_value(types[1])};
      },
      "argmax");
  const te::Tensor a = placeholder({3, 4}, kInt32, "A");
  const ReduceAxis k = reduce_axis(4, "k");
  const auto best = compute_tuple(
      {3},
      [&](Expr i) {
        return argmax({cast(kInt32, k), a(i, k)}, {k});
      },
      "best");
  vantage::Tensor in(kInt32, {3, 4}), where(kInt32, {3}), value(kInt32, {3});
  const int64_t values[] = {1, 9, 3, 2, -7, -5, -6, -4, 0, 0, 0, 0};
  for (int64_t i = 0; i < 12; ++i) in.set_integer(i, values[i]);
  ir::interpret(create_prim_func({a, best[0], best[1]}), {&in, &where, &value});
  const double places[] = {1, 3, 0}, largest[] = {9, -4, 0};
  for (int64_t i = 0; i < 3; ++i) {
    CHECK(where.at({i}) == places[i]);
    CHECK(value.at({i}) == largest[i]);
  }
}

TEST_CASE("a scan steps through time", "[unit]") {
  // Running sums of columns.
  const Var m = var("m"), n = var("n");
  const te::Tensor x = placeholder({m, n}, kFloat32, "X"), state = placeholder({m, n}, kFloat32, "state");
  const te::Tensor init = compute(
      {1, n}, [&](Expr, Expr j) { return x(0, j); }, "init");
  const te::Tensor update = compute(
      {m, n}, [&](Expr t, Expr j) { return state(t - 1, j) + x(t, j); }, "update");
  vantage::Tensor in = numbers(kFloat32, {6, 3}), out(kFloat32, {6, 3});
  ir::interpret(create_prim_func({x, scan(init, update, state, "S")}), {&in, &out});
  for (int64_t j = 0; j < 3; ++j) {
    double sum = 0;
    for (int64_t t = 0; t < 6; ++t) CHECK(out.at({t, j}) == (sum += in.at({t, j})));
  }
}

TEST_CASE("types convert, conditions choose, and functions are those of the host", "[unit]") {
  const Var n = var("n");
  const te::Tensor a = placeholder({n}, kFloat32, "A");
  const te::Tensor cut = compute(
      {n}, [&](Expr i) { return cast(kInt8, a(i)); }, "cut");
  const te::Tensor padded = compute(
      {n + 2}, [&](Expr i) { return if_then_else(i >= 1 && i < n + 1, a(i - 1), 0.5f); }, "padded");
  const te::Tensor root = compute(
      {n}, [&](Expr i) { return sqrt(abs(a(i))) + exp(a(i) * 0.25f); }, "root");
  const te::Tensor half = compute(
      {n}, [&](Expr i) { return cast(kFloat16, a(i)) / cast(kFloat16, Expr(3.0f)); }, "half");
  const te::Tensor positive = compute(
      {n}, [&](Expr i) { return a(i) > 0.0f; }, "positive");
  vantage::Tensor in(kFloat32, {5}), bytes(kInt8, {5}), wide(kFloat32, {7}), roots(kFloat32, {5}),
      halves(kFloat16, {5}), signs(kBool, {5});
  const double values[] = {-2.75, 0, 1.5, 100.25, 2};
  for (int64_t i = 0; i < 5; ++i) in.set_number(i, values[i]);
  ir::interpret(create_prim_func({a, cut, padded, root, half, positive}),
                {&in, &bytes, &wide, &roots, &halves, &signs});
  CHECK(wide.at({0}) == 0.5);
  CHECK(wide.at({6}) == 0.5);
  for (int64_t i = 0; i < 5; ++i) {
    CHECK(bytes.at({i}) == std::trunc(values[i]));
    CHECK(wide.at({i + 1}) == values[i]);
    CHECK(roots.at({i}) == Approx(std::sqrt(std::abs(values[i])) + std::exp(values[i] / 4)));
    CHECK(halves.at({i}) == Approx(values[i] / 3).epsilon(1e-3));
    CHECK(signs.at({i}) == (values[i] > 0 ? 1 : 0));
  }
}

TEST_CASE("tensors of one name get numbers, and what nobody needs is left out", "[unit]") {
  const te::Tensor a = placeholder({4}, kInt32, "A");
  const te::Tensor first = compute(
      {4}, [&](Expr i) { return a(i) + 1; }, "T");
  const te::Tensor second = compute(
      {4}, [&](Expr i) { return first(i) + 1; }, "T");
  compute(
      {4}, [&](Expr i) { return a(i) * 100; }, "unused");
  const std::string text = to_text(create_prim_func({a, second}));
  CHECK_THAT(text, ContainsSubstring("with T.block(\"T\")") && ContainsSubstring("with T.block(\"T_1\")"));
  CHECK_THAT(text, !ContainsSubstring("unused"));
}

TEST_CASE("a body returns an expression that is there and can be gone through", "[unit]") {
  const te::Tensor a = placeholder({8}, kInt32, "A");
  CHECK(ERROR_OF(compute(
            {8}, [](Expr) { return Expr(); }, "none")) == "the body of none returns an expression without a value");
  CHECK(ERROR_OF(compute(
            {8},
            [&](Expr i) {
              Expr sum = a(i);
              for (int n = 1; n < 5000; ++n) sum = sum + a(i);
              return sum;
            },
            "long")) ==
        "the body of long has 5001 operations inside one another, expected at most 2000; use a "
        "reduction, or tensors for parts of it");
}

TEST_CASE("what tensor expressions refuse", "[golden]") {
  test::Refusals list;
  const te::Tensor a = placeholder({8, 4}, kInt32, "A"), f = placeholder({8}, kFloat32, "F");
  const ReduceAxis k = reduce_axis(4, "k");
  const auto one = [&](const std::function<Expr(Expr)>& body, const char* name = "B") {
    return compute({8}, body, name);
  };
  list.add("an index too few", [&] { one([&](Expr i) { return a(i); }); });
  list.add("an index that is no integer", [&] { one([&](Expr) { return f(Expr(1.5f)); }); });
  list.add("an index out of the tensor", [&] { create_prim_func({a, one([&](Expr i) { return a(i + 1, 0); })}); });
  list.add("types that differ", [&] { one([&](Expr i) { return f(i) + a(i, 0); }); });
  const te::Tensor bytes = placeholder({8}, kInt8, "bytes"), yes = placeholder({8}, kBool, "yes");
  list.add("integers of two widths", [&] { one([&](Expr i) { return bytes(i) + a(i, 0); }); });
  list.add("an index of floats", [&] { one([&](Expr i) { return a(f(i), 0); }); });
  list.add("a sum of bools", [&] { one([&](Expr i) { return yes(i) + yes(i); }); });
  list.add("a negated bool", [&] { one([&](Expr i) { return -yes(i); }); });
  list.add("branches of two types", [&] { one([&](Expr i) { return if_then_else(yes(i), bytes(i), f(i)); }); });
  list.add("floats divided as integers", [&] { one([&](Expr i) { return ceil_div(f(i), f(i)); }); });
  list.add("a condition that is a number", [&] { one([&](Expr i) { return if_then_else(a(i, 0), 1, 2); }); });
  list.add("a function of floats on integers", [&] { one([&](Expr i) { return exp(a(i, 0)); }); });
  list.add("a body with too many indices", [&] {
    compute(
        {8}, [&](Expr i, Expr j) { return a(i, j); }, "B");
  });
  list.add("a body with several values", [&] {
    compute(
        {8},
        [&](Expr i) {
          return std::vector<Expr>{i, i};
        },
        "B");
  });
  list.add("a name that is none", [&] { one([&](Expr i) { return a(i, 0); }, "my tensor"); });
  list.add("a variable's name that is none", [&] { var("2n"); });
  list.add("a size below 1", [&] { placeholder({4, 0}, kInt32, "Z"); });
  list.add("a size that is no integer", [&] { placeholder({Expr(2.0f)}, kInt32, "Z"); });
  list.add("a reduction without axes", [&] { sum(a(0, 0), {}); });
  list.add("a reduction's condition that is a number", [&] { sum(a(0, k), {k}, a(0, k)); });
  list.add("a reduction that starts from another type", [&] { starting_from(f(0), sum(a(0, k), {k})); });
  list.add("a reduction that starts from what it folds", [&] { starting_from(a(0, k), sum(a(0, k), {k})); });
  list.add("a reduction of two values that starts from one", [&] {
    const auto both = [](const Values& x, const Values& y) { return Values{x[0] + y[0], x[1] + y[1]}; };
    const auto zeros = [](const std::vector<DType>&) { return Values{Expr(0), Expr(0)}; };
    starting_from(a(0, 0), comm_reducer(both, zeros, "pairs")({a(0, k), a(1, k)}, {k}));
  });
  list.add("a reduce axis of no iterations", [&] { reduce_axis(0, "r"); });
  list.add("a reduce axis without a name", [&] { reduce_axis(4, ""); });
  list.add("a reducer that makes another type", [&] {
    comm_reducer([](const Values&, const Values&) { return Values{Expr(1.0f)}; },
                 [](const std::vector<DType>&) { return Values{Expr(0)}; }, "odd")({a(0, k)}, {k});
  });
  const te::Tensor b = one([&](Expr i) { return a(i, 0); });
  list.add("an input that is no argument", [&] { create_prim_func({b}); });
  list.add("an argument given twice", [&] { create_prim_func({a, a, b}); });
  list.add("a function without output", [&] { create_prim_func({a}); });
  list.add("a function without a name", [&] { create_prim_func({a, b}, "a function"); });
  const te::Tensor state = placeholder({8, 4}, kInt32, "state");
  const te::Tensor init = compute(
      {1, 4}, [&](Expr, Expr j) { return a(0, j); }, "init");
  const te::Tensor later = compute(
      {8, 4}, [&](Expr t, Expr j) { return state(t, j); }, "later");
  const te::Tensor floats = compute(
      {8, 4}, [&](Expr t, Expr j) { return cast(kFloat32, state(t - 1, j)); }, "floats");
  list.add("a scan that reads the step it makes", [&] { create_prim_func({a, scan(init, later, state, "S")}); });
  list.add("a scan of two types", [&] { scan(init, floats, state, "S"); });
  list.add("a scan of two shapes", [&] { scan(init, b, state, "S"); });
  list.add("a scan whose state is computed", [&] { scan(init, later, later, "S"); });
  list.add("a scan that lacks an update", [&] { scan({init}, {}, {state}, "S"); });
  const std::string difference = test::compare_golden("refusals_te.txt", list.text());
  if (!difference.empty()) FAIL(difference);
}

}  // namespace vantage::test::compiler_te_te_test
