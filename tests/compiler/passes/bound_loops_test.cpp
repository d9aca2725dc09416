// Conditions that bound_loops must leave where they are.
#include "compiler/passes/bound_loops.h"

#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"

namespace vantage::test::compiler_passes_bound_loops_test {

using namespace vantage;
using namespace vantage::ir;

TEST_CASE("a condition that the loop changes stays inside of it", "[unit]") {
  const Buffer a = make_buffer("A", {1}, kInt32), b = make_buffer("B", {8}, kInt32);
  const Var i("i");
  for (const bool limits : {false, true}) {
    // Counts A up while it is below 5, or while i is below it.
    const Expr condition = limits ? cast(kInt32, i) < load(a, {0}) : load(a, {0}) < 5;
    PrimFunc f;
    f.name = "f";
    f.params = {a, b};
    f.body = loop(
        i, 8, make_stmt(If(condition, seq({store(a, {0}, load(a, {0}) + (limits ? -1 : 1)), store(b, {i}, 1)}), {})));
    const auto run = [](const PrimFunc& function, int64_t first) {
      Tensor x(kInt32, {1}), y(kInt32, {8});
      x.set_integer(0, first);
      interpret(function, {&x, &y});
      int64_t sum = x.integer(0) * 100;
      for (int64_t e = 0; e < 8; ++e) sum += y.integer(e);
      return sum;
    };
    INFO(to_text(passes::bound_loops(f)));
    CHECK(run(f, 4) == (limits ? 202 : 501));
    CHECK(run(passes::bound_loops(f), 4) == run(f, 4));
  }
}

TEST_CASE("neighbours under one condition come together unless it may change between them", "[unit]") {
  const Buffer a = make_buffer("A", {1}, kInt32), b = make_buffer("B", {2}, kInt32);
  const Var n("n");
  const auto together = [&](const Expr& condition) {
    PrimFunc f;
    f.name = "f";
    f.params = {n, a, b};
    f.body = seq({make_stmt(If(condition, store(a, {0}, 9), {})), make_stmt(If(condition, store(b, {0}, 1), {}))});
    const std::string text = to_text(passes::bound_loops(f));
    return text.find("if ") == text.rfind("if ");
  };
  CHECK(together(n < 4));
  CHECK_FALSE(together(load(a, {0}) < 4));
}

TEST_CASE("the number of virtual threads stays fixed", "[unit]") {
  const Buffer b = make_buffer("B", {10}, kInt32);
  const Var o("o"), v("v");
  const Stmt guarded = make_stmt(If(o * 4 + v < 10, store(b, {o * 4 + v}, 1), {}));
  For inner = *loop(v, 4, guarded).as<For>();
  inner.loop = ForKind::kVirtualThread;
  PrimFunc f;
  f.name = "f";
  f.params = {b};
  f.body = loop(o, 3, make_stmt(std::move(inner)));
  CHECK_THAT(to_text(passes::bound_loops(f)), ContainsSubstring("T.vthread(4)"));
}

}  // namespace vantage::test::compiler_passes_bound_loops_test
