#include "compiler/ir/structural.h"

#include <cmath>
#include <functional>

#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "tests/catch.h"
#include "tests/compiler/ir/parts.h"
#include "tests/compiler/ir/random_index.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_ir_structural_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

using test::Parts;

struct Change {
  const char* what;
  std::function<void(Parts&)> apply;
};

const std::vector<Change>& changes() {
  static const std::vector<Change> kChanges = {
      {"another free variable", [](Parts& p) { p.free_var = Var("free"); }},
      {"another free buffer", [](Parts& p) { p.free_buffer = make_buffer("F", {8}, kInt32); }},
      {"function name", [](Parts& p) { p.function = "other"; }},
      {"function annotations", [](Parts& p) { p.function_notes["target"] = make_string("cuda"); }},
      {"fewer function annotations", [](Parts& p) { p.function_notes.clear(); }},
      {"parameter type", [](Parts& p) { p.param_type = kInt64; }},
      {"parameter order", [](Parts& p) { p.swap_params = true; }},
      {"buffer name", [](Parts& p) { p.buffer = "B"; }},
      {"buffer scope", [](Parts& p) { p.scope = "shared"; }},
      {"buffer type", [](Parts& p) { p.dtype = kInt8; }},
      {"buffer size", [](Parts& p) { p.first_size = 17; }},
      {"buffer strides", [](Parts& p) { p.strides = true; }},
      {"buffer alignment", [](Parts& p) { p.alignment = 128; }},
      {"allocation name", [](Parts& p) { p.allocation = "U"; }},
      {"allocation place", [](Parts& p) { p.allocate_in_function = false; }},
      {"loop begin", [](Parts& p) { p.min = 1; }},
      {"loop extent", [](Parts& p) { p.extent = 8; }},
      {"loop kind", [](Parts& p) { p.loop = ForKind::kUnrolled; }},
      {"loop thread", [](Parts& p) { p.thread = "threadIdx.y"; }},
      {"loop annotation", [](Parts& p) { p.loop_notes["unroll"] = 8; }},
      {"loop annotation's key",
       [](Parts& p) {
         p.loop_notes = {{"vector", 4}};
       }},
      {"loop variable's type", [](Parts& p) { p.loop_type = kInt64; }},
      {"block name", [](Parts& p) { p.block = "D"; }},
      {"axis kind", [](Parts& p) { p.axis = AxisKind::kOrdered; }},
      {"axis begin", [](Parts& p) { p.axis_min = 1; }},
      {"axis extent", [](Parts& p) { p.axis_extent = 8; }},
      {"binding", [](Parts& p) { p.binding_offset = 1; }},
      {"predicate", [](Parts& p) { p.predicate = [](const Expr& v) { return v < 13; }; }},
      {"no predicate", [](Parts& p) { p.predicate = [](const Expr&) { return Expr(true); }; }},
      {"block annotation", [](Parts& p) { p.block_notes["pragma"] = make_string("other"); }},
      {"no init", [](Parts& p) { p.init = false; }},
      {"reducer's operation", [](Parts& p) { p.combine = BinaryOp::kMax; }},
      {"reducer's name", [](Parts& p) { p.reducer = "max"; }},
      {"reducer's identity", [](Parts& p) { p.identity = 1; }},
      {"no reducer", [](Parts& p) { p.has_reducer = false; }},
      {"literal", [](Parts& p) { p.stored = 2; }},
      {"index", [](Parts& p) { p.index_offset = 1; }},
      {"operation", [](Parts& p) { p.op = BinaryOp::kMul; }},
      {"cast", [](Parts& p) { p.cast_to = kInt16; }},
      {"not", [](Parts& p) { p.negate = true; }},
      {"intrinsic", [](Parts& p) { p.intrinsic = "log"; }},
      {"view's touch", [](Parts& p) { p.touch = Touch::kReadWrite; }},
      {"view's box", [](Parts& p) { p.box = 5; }},
      {"let value", [](Parts& p) { p.let_value = 8; }},
      {"else branch", [](Parts& p) { p.has_else = false; }},
      {"last statement", [](Parts& p) { p.has_tail = false; }},
      {"float literal", [](Parts& p) { p.number = 0.25; }},
      {"string", [](Parts& p) { p.text = "global"; }},
  };
  return kChanges;
}

void check_equal(const Stmt& a, const Stmt& b) {
  CHECK(structural_equal(a, b));
  CHECK(structural_equal(b, a));
  CHECK(structural_hash(a) == structural_hash(b));
}

void check_different(const Stmt& a, const Stmt& b) {
  INFO(to_text(a) << "and\n" << to_text(b));
  CHECK_FALSE(structural_equal(a, b));
  CHECK_FALSE(structural_equal(b, a));
}

}  // namespace

TEST_CASE("trees that differ in nothing but names of variables are equal", "[unit]") {
  const Parts parts;
  const PrimFunc a = parts.build(), b = parts.build();
  CHECK(structural_equal(a, b));
  CHECK(structural_hash(a) == structural_hash(b));
  Parts renamed = parts;
  renamed.loop_name = "j";
  const PrimFunc c = renamed.build();
  CHECK(structural_equal(a, c));
  CHECK(structural_hash(a) == structural_hash(c));
}

TEST_CASE("a difference in any one part is a difference", "[unit]") {
  const Parts parts;
  const PrimFunc original = parts.build();
  for (const Change& change : changes()) {
    Parts changed = parts;
    change.apply(changed);
    const PrimFunc other = changed.build();
    INFO(change.what);
    CHECK_FALSE(structural_equal(original, other));
    CHECK_FALSE(structural_equal(other, original));
    const PrimFunc again = changed.build();
    CHECK(structural_equal(other, again));
    CHECK(structural_hash(other) == structural_hash(again));
  }
}

TEST_CASE("hashes tell most differences", "[unit]") {
  const Parts parts;
  const size_t original = structural_hash(parts.build());
  size_t collisions = 0;
  for (const Change& change : changes()) {
    Parts changed = parts;
    change.apply(changed);
    collisions += structural_hash(changed.build()) == original ? 1 : 0;
  }
  CHECK(collisions < 12);
}

TEST_CASE("a free variable is no bound one", "[unit]") {
  const Buffer a = make_buffer("A", {16, 16}, kInt32);
  const Var i("i"), j("j"), k("k");
  const auto nest = [&](const Var& x, const Expr& index) { return loop(x, 16, store(a, {index, 0}, 1)); };
  check_equal(nest(i, i), nest(j, j));
  check_different(nest(i, i), nest(j, i));
  check_different(nest(i, j), nest(j, j));
  check_different(nest(i, j), nest(i, k));
  check_equal(nest(i, k), nest(j, k));
  // Two variables of the one never are one of the other.
  const auto two = [&](const Var& x, const Var& y, const Expr& p, const Expr& q) {
    return loop(x, 16, loop(y, 16, store(a, {p, q}, 1)));
  };
  check_equal(two(i, j, i, j), two(j, i, j, i));
  check_equal(two(i, j, i, j), two(j, k, j, k));
  check_different(two(i, j, i, j), two(i, j, j, i));
  check_different(two(i, j, i, j), two(i, j, i, i));
  // The inner one of a name hides the outer one.
  check_equal(two(i, j, j, j), two(k, k, k, k));
  check_different(two(i, j, i, i), two(k, k, k, k));
}

TEST_CASE("a variable that is used for two loops in a row is each time its own", "[unit]") {
  const Buffer a = make_buffer("A", {16}, kInt32);
  const Var i("i"), j("j"), k("k");
  const auto one = [&](const Var& x) { return loop(x, 16, store(a, {x}, x)); };
  check_equal(seq({one(i), one(i)}), seq({one(j), one(k)}));
  check_equal(seq({one(i), one(j)}), seq({one(k), one(k)}));
  check_equal(seq({one(i), one(j)}), seq({one(j), one(i)}));
}

TEST_CASE("buffers that are allocated inside match by position", "[unit]") {
  const Var i("i");
  const auto tree = [&] {
    const Buffer t = make_buffer("T", {4}, kInt8, "local");
    return make_stmt(Allocate(t, store(t, {i}, 1), {{"note", 1}}));
  };
  check_equal(tree(), tree());
  const Buffer free = make_buffer("T", {4}, kInt8, "local");
  check_different(tree(),
                  make_stmt(Allocate(make_buffer("T", {4}, kInt8, "local"), store(free, {i}, 1), {{"note", 1}})));
  check_different(tree(), make_stmt(Allocate(free, store(free, {i}, 1), {{"note", 2}})));
  CHECK(structural_equal(Stmt(), Stmt()));
  check_different(tree(), store(free, {i}, 1));
}

TEST_CASE("the sizes of parameters are variables of the function", "[unit]") {
  const auto function = [](bool same) {
    const Var n("n"), m("m");
    const Buffer a = make_buffer("A", {n, 4}, kInt8), b = make_buffer("B", {same ? n : m, n + 1}, kInt8);
    PrimFunc f;
    f.params = {a, b};
    const Var i("i");
    f.body = loop(i, n, store(b, {i, 0}, load(a, {i, 0})));
    return f;
  };
  CHECK(structural_equal(function(true), function(true)));
  CHECK(structural_hash(function(true)) == structural_hash(function(true)));
  CHECK(structural_equal(function(false), function(false)));
  CHECK_FALSE(structural_equal(function(true), function(false)));
  CHECK_FALSE(structural_equal(function(false), function(true)));
}

TEST_CASE("literals are compared by type and bits", "[unit]") {
  const auto same = [](const Expr& a, const Expr& b) {
    if (structural_equal(a, b)) CHECK(structural_hash(a) == structural_hash(b));
    return structural_equal(a, b);
  };
  CHECK(same(Expr(1), Expr(1)));
  CHECK_FALSE(same(Expr(1), make_int(kInt64, 1)));
  CHECK_FALSE(same(Expr(true), Expr(1)));
  CHECK(same(make_float(kFloat32, std::nan("")), make_float(kFloat32, std::nan(""))));
  CHECK_FALSE(same(make_float(kFloat32, 0.0), make_float(kFloat32, -0.0)));
  CHECK_FALSE(same(make_float(kFloat32, 1), make_float(kFloat64, 1)));
  CHECK(same(Expr(), Expr()));
  CHECK_FALSE(same(Expr(), Expr(0)));
}

TEST_CASE("a copy equals its original, another expression does not", "[property]") {
  std::mt19937_64 random = test::generator(5);
  const Var i("i"), j("j"), n("n"), other("i");
  for (int round = 0; round < 5000; ++round) {
    const uint64_t seed = random();
    const auto draw = [&] {
      std::mt19937_64 same(seed);
      return test::random_int(same, {n, i, j}, 4);
    };
    const Expr a = draw(), b = draw();
    INFO(to_text(a));
    REQUIRE(structural_equal(a, b));
    REQUIRE(structural_hash(a) == structural_hash(b));
    const Expr renamed = substitute(a, {{i.get(), other}});
    REQUIRE(structural_equal(a, renamed) == !uses_var(a, i));
  }
}

}  // namespace vantage::test::compiler_ir_structural_test
