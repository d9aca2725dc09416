#include "compiler/ir/arith/analyzer.h"

#include <limits>

#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"

namespace vantage::test::compiler_ir_arith_analyzer_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

struct World {
  Var i{"i"}, j{"j"}, k{"k"}, f{"f"}, n{"n"}, m{"m"}, x{"x"};
  Analyzer analyzer;
  Buffer a = make_buffer("A", {100}, kInt32);

  std::string simple(const Expr& e) { return to_text(analyzer.simplify(e)); }
  std::string low(const Expr& e, const std::vector<Var>& free) { return text(analyzer.lower_bound(e, free)); }
  std::string high(const Expr& e, const std::vector<Var>& free) { return text(analyzer.upper_bound(e, free)); }
  static std::string text(const Expr& e) { return to_text(e); }
  Expr likely(const Expr& e) { return call(kLikely, {e}); }
};

}  // namespace

TEST_CASE_METHOD(World, "what is known of a sum bounds its quotient and its remainder", "[unit]") {
  analyzer.bind(i, Range{0, 3});
  analyzer.bind(j, Range{0, 4});
  CHECK(analyzer.bounds(floor_div(i * 4 + j, 5)).max == 2);
  const size_t facts = analyzer.assume(i * 4 + j < 10);
  CHECK(analyzer.bounds(floor_div(i * 4 + j, 5)).max == 1);
  CHECK(analyzer.bounds(floor_mod(i * 4 + j, 20)).max == 9);
  CHECK(analyzer.prove(floor_div(i * 4 + j, 5) * 2 + 2 < 5));
  analyzer.forget(facts);
  CHECK_FALSE(analyzer.prove(floor_div(i * 4 + j, 5) < 2));
}

TEST_CASE_METHOD(World, "fused loops come apart again", "[unit]") {
  analyzer.bind(j, Range{0, 16});
  CHECK(simple(floor_div(i * 16 + j, 16)) == "i");
  CHECK(simple(floor_mod(i * 16 + j, 16)) == "j");
  CHECK(simple(floor_div(f, 16) * 16 + floor_mod(f, 16)) == "f");
  CHECK(simple(floor_mod(f, 16) * 3 + x + floor_div(f, 16) * 48) == "x + f * 3");
  CHECK(simple(floor_div(floor_div(f, 16), 4)) == "f // 64");
  CHECK(simple(floor_mod(floor_mod(f, 64), 16)) == "f % 16");
  CHECK(simple(floor_div(i * 32 + j * 2 + 1, 32)) == "i");
  CHECK(simple(floor_mod(i * 32 + j * 2 + 1, 32)) == "j * 2 + 1");
  CHECK(simple(floor_div(i * 8 + 6, 4)) == "i * 2 + 1");
  CHECK(simple(floor_mod(i * 8 + 6, 4)) == "2");
  CHECK(simple(floor_mod(i * 6 + 4, 4)) == "i * 3 % 2 * 2");
  CHECK(simple(floor_div(i * 16 + j - 16, 16)) == "i - 1");
  CHECK(simple(floor_mod(j - 16, 16)) == "j");
  CHECK(simple(trunc_div(j, 4)) == "j // 4");
  CHECK(simple(trunc_mod(j, 16)) == "j");
  CHECK(simple(trunc_div(x, 4)) == "T.truncdiv(x, 4)");
  CHECK(simple(floor_mod(floor_div(x, 2), 4) + floor_div(floor_div(x, 2), 4) * 4) == "x // 2");
  CHECK(simple(floor_mod(floor_div(x, 4), 3) * 4 + floor_mod(x, 4)) == "x % 12");
  // Three loops in one.
  analyzer.bind(f, Range{0, 24});
  CHECK(simple(floor_div(f, 12) * 12 + floor_mod(floor_div(f, 4), 3) * 4 + floor_mod(f, 4)) == "f");
  CHECK(simple(floor_div(f, 24)) == "0");
}

TEST_CASE_METHOD(World, "symbolic sizes divide as literals do", "[unit]") {
  analyzer.bind(n, Bounds{1, Bounds::kInfinity});
  analyzer.bind(i, Range{0, n});
  analyzer.bind(j, Range{0, n});
  CHECK(analyzer.prove(i < n));
  CHECK(analyzer.prove(i >= 0));
  CHECK_FALSE(analyzer.prove(i < n - 1));
  CHECK(simple(i < n) == "True");
  CHECK(simple(n <= i) == "False");
  CHECK(simple(floor_div(i * n + j, n)) == "i");
  CHECK(simple(floor_mod(i * n + j, n)) == "j");
  CHECK(simple(floor_div(j + n * i, n)) == "i");
  CHECK(simple(floor_div(x, n) * n + floor_mod(x, n)) == "x");
  CHECK(simple(n * floor_div(x, n) + floor_mod(x, n)) == "x");
  CHECK(simple(floor_div(n * m, n)) == "m");
  CHECK(analyzer.prove(floor_div(n, 32) * 32 <= n));
  CHECK(analyzer.prove(floor_div(n + 31, 32) * 32 >= n));
  CHECK_FALSE(analyzer.prove(floor_div(n + 31, 32) * 32 <= n));
  CHECK(analyzer.prove(i * n + j < n * n));
  CHECK(analyzer.prove(floor_mod(x, n) < n));
  // A fused loop's quotient.
  analyzer.bind(f, Range{0, n * 16});
  CHECK(analyzer.prove(floor_div(f, 16) < n));
  CHECK_FALSE(analyzer.prove(floor_div(f, 16) < n - 1));
  CHECK(simple(min(i, n)) == "i");
  CHECK(simple(max(i, n - 1)) == "n - 1");
  CHECK(simple((n + 1) * (n - 1) - n * n) == "-1");
}

TEST_CASE_METHOD(World, "guards are proved exactly when they hold", "[unit]") {
  analyzer.bind(n, Bounds{1, Bounds::kInfinity});
  analyzer.bind(i, Range{0, 4});
  analyzer.bind(j, Range{0, 32});
  CHECK(analyzer.prove(i * 32 + j < 128));
  CHECK_FALSE(analyzer.prove(i * 32 + j < 127));
  CHECK(simple(likely(i * 32 + j < 128)) == "True");
  CHECK(simple(likely(i * 32 + j < 100)) == "T.likely(i * 32 + j < 100)");
  analyzer.bind(i, Range{0, floor_div(n + 31, 32)});
  CHECK_FALSE(analyzer.prove(i * 32 + j < n));
  CHECK(analyzer.prove(i * 32 < n));
  CHECK(simple(likely(i * 32 + j < n)) == "T.likely(i * 32 + j < n)");
  analyzer.bind(i, Range{0, floor_div(n, 32)});
  CHECK(analyzer.prove(i * 32 + j < n));
  CHECK(simple(i * 32 + j < n && x < n) == "x < n");
  CHECK(simple(i * 32 + j >= n || x < n) == "x < n");
}

TEST_CASE_METHOD(World, "a tail's size is simplified as far as it can be", "[unit]") {
  const Var io("io"), ii("ii");
  analyzer.bind(io, Range{0, 4});
  CHECK(simple(min(4, 13 - io * 4)) == "T.min(13 - io * 4, 4)");
  analyzer.bind(ii, Range{0, min(4, 13 - io * 4)});
  CHECK(analyzer.prove(io * 4 + ii < 13));
  CHECK_FALSE(analyzer.prove(io * 4 + ii < 12));
  CHECK(analyzer.bounds(ii).min == 0);
  CHECK(analyzer.bounds(ii).max == 3);
  CHECK(simple(min(4, 16 - io * 4)) == "4");
  CHECK(simple(min(4, 12 - io * 4)) == "T.min(12 - io * 4, 4)");
  CHECK(simple(min(20, 13 - io * 4)) == "13 - io * 4");
}

TEST_CASE_METHOD(World, "conditions are facts until they are forgotten", "[unit]") {
  CHECK_FALSE(analyzer.prove(x < n));
  const size_t before = analyzer.assume(likely(x < n && x >= 0));
  CHECK(before == 0);
  CHECK(analyzer.prove(x < n));
  CHECK(analyzer.prove(x >= 0));
  CHECK(analyzer.prove(n > 0));
  CHECK(analyzer.prove(x + 1 <= n));
  const size_t inner = analyzer.assume(!(n > m));
  CHECK(analyzer.prove(x < m));
  CHECK(analyzer.prove(x * 3 < m * 3));
  analyzer.forget(inner);
  CHECK_FALSE(analyzer.prove(x < m));
  CHECK(analyzer.prove(x < n));
  analyzer.forget(before);
  CHECK_FALSE(analyzer.prove(x < n));
  analyzer.assume(!(x < 3 || n < 4));
  CHECK(analyzer.prove(x >= 3));
  CHECK(analyzer.prove(n >= 4));
  analyzer.assume(k == x + 1);
  CHECK(analyzer.prove(k > x));
  CHECK(analyzer.prove(k >= 4));
  // What says nothing about order is no fact.
  CHECK(analyzer.assume(k != m) == 4);
  CHECK(analyzer.assume(k < 100 || m < 100) == 4);
  CHECK(analyzer.assume(call("isnan", {Var("y", kFloat32)})) == 4);
  CHECK(analyzer.assume(Expr(true)) == 4);
}

TEST_CASE_METHOD(World, "facts hold where their condition does, and nowhere else", "[unit]") {
  CHECK(simple(if_then_else(x < 4, min(x, 4), max(x, 4))) == "x");
  CHECK(simple(if_then_else(x < 4, if_then_else(x < 5, i, j), k)) == "T.if_then_else(x < 4, i, k)");
  CHECK(simple(if_then_else(x < 4, i, if_then_else(x < 3, j, k))) == "T.if_then_else(x < 4, i, k)");
  CHECK(simple(x < 4 && x < 5) == "x < 4");
  CHECK(simple(x < 4 || x < 3) == "x < 4");
  CHECK(simple(x >= 4 || x < 5) == "True");
  CHECK(simple(x < 4 && x > 4) == "False");
  CHECK(simple(x < 4) == "x < 4");
  CHECK_FALSE(analyzer.prove(x < 4));
}

TEST_CASE_METHOD(World, "comparisons lose what stands on both sides", "[unit]") {
  CHECK(simple(x + i < n + i) == "x < n");
  CHECK(simple(x * 4 < 13) == "x < 4");
  CHECK(simple(x * 4 <= 12) == "x < 4");
  CHECK(simple(x * 4 >= 13) == "x > 3");
  CHECK(simple(x * 4 > -13) == "x > -4");
  CHECK(simple(x * 2 + 6 < n * 4) == "x < n * 2 - 3");
  CHECK(simple(x - x + 3 < 4) == "True");
  CHECK(simple(x == x) == "True");
  CHECK(simple(x + 1 == x) == "False");
  CHECK(simple(x + 1 != x) == "True");
  CHECK(simple(!(x < n)) == "n <= x");
}

TEST_CASE_METHOD(World, "indices with loads are simplified around them", "[unit]") {
  const Expr load_x = load(a, {x});
  CHECK(simple(load_x + x - load_x) == "x");
  CHECK(simple(load(a, {x + 4 - 4})) == "A[x]");
  CHECK(analyzer.prove(load(a, {x}) <= load(a, {x})));
  CHECK_FALSE(analyzer.prove(load(a, {x}) < 100));
  analyzer.assume(load(a, {x}) < 100);
  CHECK(analyzer.prove(load(a, {x}) < 101));
  CHECK_FALSE(analyzer.prove(load(a, {x + 1}) < 101));
}

TEST_CASE_METHOD(World, "bounds", "[unit]") {
  analyzer.bind(i, Range{2, 5});
  analyzer.bind(n, Bounds{1, Bounds::kInfinity});
  const auto text = [&](const Expr& e) {
    const Bounds b = analyzer.bounds(e);
    return (b.min == -Bounds::kInfinity ? "" : std::to_string(b.min)) + ".." +
           (b.max == Bounds::kInfinity ? "" : std::to_string(b.max));
  };
  CHECK(text(7) == "7..7");
  CHECK(analyzer.bounds(Expr(7)).is_point());
  CHECK(text(i) == "2..6");
  CHECK(text(x) == "..");
  CHECK(text(i * -3 + 1) == "-17..-5");
  CHECK(text(i * n) == "2..");
  CHECK(text(i - n) == "..5");
  CHECK(text(x * 0 + n) == "1..");
  CHECK(text(floor_div(i, 4)) == "0..1");
  CHECK(text(floor_div(i - 10, 4)) == "-2..-1");
  CHECK(text(floor_div(i, n)) == "0..6");
  CHECK(text(floor_div(0 - n, n)) == "..-1");
  CHECK(text(floor_div(i, x)) == "..");
  CHECK(text(floor_mod(x, 4)) == "0..3");
  CHECK(text(floor_mod(i, 4)) == "0..3");
  CHECK(text(floor_mod(i, 8)) == "2..6");
  CHECK(text(floor_mod(x, n)) == "0..");
  CHECK(text(floor_mod(i, n)) == "0..6");
  CHECK(text(min(i, x)) == "..6");
  CHECK(text(max(i, x)) == "2..");
  CHECK(text(if_then_else(x < 0, i, 20)) == "2..20");
  CHECK(text(cast(kInt64, i)) == "2..6");
  CHECK(text(cast(kInt32, Var("p", kBool))) == "0..1");
  CHECK(text(cast(kInt32, Var("b", kInt8))) == "-128..127");
  CHECK(text(Var("b", kInt8)) == "-128..127");
  CHECK(text(cast(kInt8, i)) == "2..6");
  CHECK(text(cast(kInt8, i * 100)) == "-128..127");
  CHECK(text(cast(kInt32, Var("h", kFloat16))) == "..");
  CHECK(text(load(a, {0})) == "..");
  CHECK(text(x < 3) == "0..1");
  // The range of a range: from the smallest of its first to the largest of its last.
  analyzer.bind(j, Range{i, 10 - i});
  CHECK(text(j) == "2..9");
}

TEST_CASE_METHOD(World, "narrow integers wrap, so that nothing is concluded from sums of them", "[unit]") {
  const Var b("b", kInt8);
  CHECK_FALSE(analyzer.prove(b + 1 > b));
  CHECK(simple(b + 1 > b) == "b + T.int8(1) > b");
  CHECK(analyzer.bounds(b + 1).max == 127);
  CHECK(analyzer.bounds(b + 1).min == -128);
  CHECK(simple(floor_div(b * 4, 4)) == "b * T.int8(4) // T.int8(4)");
  analyzer.bind(b, Bounds{0, 9});
  CHECK(analyzer.bounds(b + 1).max == 10);
  CHECK(analyzer.prove(cast(kInt32, b) + 1 > cast(kInt32, b)));
  CHECK(analyzer.prove(cast(kInt32, b + 1) <= 10));
  CHECK(simple(min(min(b, 4), 3)) == "T.min(b, T.int8(3))");
}

TEST_CASE_METHOD(World, "the largest and smallest literals are handled", "[unit]") {
  const Var l("l", kInt64);
  const Expr least = min_value(kInt64), most = max_value(kInt64);
  const int32_t least32 = std::numeric_limits<int32_t>::min(), most32 = std::numeric_limits<int32_t>::max();
  CHECK(simple(max(x, least32)) == "T.max(x, -2147483648)");
  CHECK(simple(x + least32) == "x + (-2147483648)");
  CHECK(simple(x - least32) == "x + 2147483647 + 1");
  CHECK(simple(x + most32 + 1 - most32) == "x + 1");
  CHECK_FALSE(analyzer.prove(x > least32));
  CHECK_FALSE(analyzer.prove(x + most32 + 1 < 0));
  CHECK(simple(max(l, least)) == "T.max(l, T.int64(-9223372036854775808))");
  CHECK_FALSE(analyzer.prove(most - l >= 0));
  CHECK_FALSE(analyzer.prove(l > least));
  CHECK_FALSE(analyzer.prove(l + most < 0));
  CHECK(simple(l + most) == "l + T.int64(9223372036854775807)");
  CHECK(simple(l * least + most) == "l * T.int64(-9223372036854775808) + T.int64(9223372036854775807)");
  CHECK(simple(l > least) == "l > T.int64(-9223372036854775808)");
  CHECK(simple(if_then_else(l > least, l < 5, l < 3)) ==
        "T.if_then_else(l > T.int64(-9223372036854775808), l < T.int64(5), True)");
  analyzer.assume(l > least);
  CHECK_FALSE(analyzer.prove(l > 0));
  CHECK_FALSE(analyzer.lower_bound(l + most, {l}).defined());
  CHECK(simple(floor_div(x, least32)) == "x // (-2147483648)");
  CHECK(simple(floor_mod(x, most32)) == "x % 2147483647");
  analyzer.bind(i, Range{0, most32});
  CHECK(analyzer.prove(i + 1 > 0));
  CHECK(simple(floor_div(i, most32)) == "0");
}

TEST_CASE_METHOD(World, "the extremes over loops are expressions in what is outside", "[unit]") {
  analyzer.bind(n, Bounds{1, Bounds::kInfinity});
  analyzer.bind(i, Range{0, n});
  analyzer.bind(j, Range{0, 16});
  CHECK(low(i * 16 + j, {j}) == "i * 16");
  CHECK(high(i * 16 + j, {j}) == "i * 16 + 15");
  CHECK(low(i * 16 + j, {i, j}) == "0");
  CHECK(high(i * 16 + j, {i, j}) == "n * 16 - 1");
  CHECK(high(x - j, {j}) == "x");
  CHECK(low(x - j * 2, {j}) == "x - 30");
  CHECK(high(i * n + j, {j}) == "i * n + 15");
  CHECK(high(j * n, {j}) == "n * 15");
  CHECK(low(j * (0 - n), {j}) == "n * (-15)");
  CHECK(high(floor_div(j, 4) + i, {j}) == "i + 3");
  CHECK(high(floor_mod(j, 4), {j}) == "3");
  CHECK(low(floor_mod(j + 17, 32), {j}) == "0");
  CHECK(low(floor_mod(j + 16, 32), {j}) == "16");
  CHECK(high(floor_mod(x + j, n), {j}) == "n - 1");
  CHECK(high(min(j, x), {j}) == "T.min(15, x)");
  CHECK(low(max(j, x), {j}) == "T.max(0, x)");
  CHECK(low(x + 1, {j}) == "x + 1");
  // What no form is known for.
  CHECK(low(load(a, {j}), {j}) == "(none)");
  CHECK(low(j * j, {j}) == "(none)");
  CHECK(low(j * x, {j}) == "(none)");
  CHECK(low(floor_div(x, j + 1), {j}) == "(none)");
  CHECK(low(floor_div(j, x), {j}) == "(none)");
  CHECK(low(if_then_else(j < 3, x, 0), {j}) == "(none)");
  CHECK(low(k, {k}) == "(none)");
  // Without a range: the bounds, if there are any.
  CHECK(low(n + x, {n}) == "x + 1");
  CHECK(high(n + x, {n}) == "(none)");
}

TEST_CASE_METHOD(World, "loops that depend on each other are eliminated from the inside", "[unit]") {
  analyzer.bind(n, Bounds{1, Bounds::kInfinity});
  analyzer.bind(i, Range{0, n});
  analyzer.bind(j, Range{0, i + 1});
  CHECK(analyzer.prove(j < n));
  CHECK(analyzer.prove(i - j >= 0));
  CHECK(analyzer.prove(i - j < n));
  CHECK(high(j, {j}) == "i");
  CHECK(high(j, {i, j}) == "n - 1");
  CHECK(low(i - j, {j}) == "0");
  CHECK(low(i - j, {i, j}) == "0");
  const Var io("io"), ii("ii");
  analyzer.bind(io, Range{0, 4});
  analyzer.bind(ii, Range{0, min(4, 13 - io * 4)});
  CHECK(high(io * 4 + ii, {ii}) == "io * 4 + T.min(13 - io * 4, 4) - 1");
  CHECK(high(io * 4 + ii, {io, ii}) == "12");
}

TEST_CASE_METHOD(World, "the sizes of a function's parameters are at least 1", "[unit]") {
  PrimFunc function;
  function.params = {n, make_buffer("B", {m, n * 2}, kInt8)};
  analyzer.bind_sizes(function);
  CHECK(analyzer.prove(m > 0));
  CHECK_FALSE(analyzer.prove(n > 0));
  CHECK_FALSE(analyzer.prove(m > 1));
}

TEST_CASE_METHOD(World, "a variable that is bound anew has only its new range", "[unit]") {
  analyzer.bind(i, Range{0, n});
  CHECK(analyzer.prove(i < n));
  analyzer.bind(i, Bounds{0, 100});
  CHECK_FALSE(analyzer.prove(i < n));
  analyzer.bind(i, Range{0, m});
  CHECK_FALSE(analyzer.prove(i <= 100));
}

TEST_CASE_METHOD(World, "many facts about one variable are searched in time", "[unit]") {
  std::vector<Var> vars;
  for (int v = 0; v < 12; ++v) vars.emplace_back("v" + std::to_string(v));
  for (const Var& p : vars) {
    for (const Var& q : vars) {
      if (!p.same_as(q)) analyzer.assume(p <= q + 1);
    }
  }
  CHECK_FALSE(analyzer.prove(vars[0] + vars[1] + vars[2] < vars[3] + vars[4] * 2));
  CHECK(analyzer.prove(vars[0] <= vars[5] + 1));
}

}  // namespace vantage::test::compiler_ir_arith_analyzer_test
