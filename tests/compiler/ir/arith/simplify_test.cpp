#include "compiler/ir/arith/simplifier.h"

#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "tests/catch.h"
#include "tests/compiler/ir/random_index.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_ir_arith_simplify_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

using test::IndexWorld;

// Calls `check` for random worlds in which something is possible.
void for_worlds(uint64_t seed, int count, const std::function<void(IndexWorld&, std::mt19937_64&)>& check) {
  std::mt19937_64 random = test::generator(seed);
  for (int i = 0; i < count;) {
    IndexWorld world = test::random_world(random, 60);
    if (world.assignments.empty()) continue;
    check(world, random);
    ++i;
  }
}

int64_t value(const Expr& e, const test::Assignment& values) {
  return test::evaluate(e, values).value();
}

}  // namespace

TEST_CASE("simplifying keeps the value, and a second time changes nothing", "[property]") {
  for_worlds(1, test::rounds(500), [](IndexWorld& world, std::mt19937_64& random) {
    for (int i = 0; i < 8; ++i) {
      const int depth = 1 + static_cast<int>(random() % 4);
      const Expr before = random() % 3 == 0 ? test::random_condition(random, world.vars, depth)
                                            : test::random_int(random, world.vars, depth);
      const Expr after = world.analyzer.simplify(before);
      const auto context = [&] {
        return fmt::format("{}\n  {}\n  became {}", world.description, to_text(before), to_text(after));
      };
      if (after.dtype() != before.dtype()) FAIL(context() << ", of another type");
      for (const auto& values : world.assignments) {
        const int64_t expected = value(before, values), got = value(after, values);
        if (got != expected)
          FAIL(context() << "\n  for " << test::to_text(values) << ": " << expected << ", now " << got);
      }
      const Expr again = world.analyzer.simplify(after);
      if (!structural_equal(after, again)) FAIL(context() << "\n  then " << to_text(again));
    }
  });
  SUCCEED();
}

TEST_CASE("what is less than a common divisor stays out of a quotient", "[unit]") {
  const Var k("k"), l("l"), v("v");
  Analyzer analyzer;
  analyzer.bind(k, Range{0, 8});
  analyzer.bind(l, Range{0, 8});
  analyzer.bind(v, Range{0, 4});
  const Expr flat = k * 32 + l * 4 + v;
  CHECK(to_text(analyzer.simplify(floor_div(flat, 64))) == "k // 2");
  CHECK(to_text(analyzer.simplify(floor_mod(flat, 64))) == "l * 4 + v + k % 2 * 32");
  // Five of them may reach the next one.
  const Var w("w");
  analyzer.bind(w, Range{0, 5});
  CHECK(to_text(analyzer.simplify(floor_div(l * 4 + w, 16))) == "(l * 4 + w) // 16");
}

TEST_CASE("what is computed of memory wraps at its width, so it is left as it is", "[unit]") {
  Analyzer analyzer;
  const Var i("i");
  analyzer.bind(i, Range{0, 8});
  for (const DType type : {kInt32, kInt64}) {
    const Buffer a = make_buffer("A", {8}, type);
    const Expr x = load(a, {i});
    for (const Expr& data : {floor_div(x * 3, 3), floor_div(x * 4 + 8, 4), max(x + 1, x), x * 2 < 10, x + 1 > x,
                             max(x, 5) + 10 > 0, floor_mod(x * 8, 8), if_then_else(x > 100, x * 3 > 0, x < 0)}) {
      CHECK(to_text(analyzer.simplify_data(data)) == to_text(data));
    }
    // Places in memory, and what is computed of these alone, are simplified inside.
    CHECK(to_text(analyzer.simplify_data(load(a, {floor_div(i * 4 + 1, 4)}) * 3)) == to_text(x * 3));
    // A place may be read of memory itself.
    CHECK(to_text(analyzer.simplify_data(load(a, {floor_div(x * 4 + 1, 4)}) + 1)) == to_text(load(a, {x}) + 1));
  }
  CHECK(to_text(analyzer.simplify_data(floor_div(i * 3, 3))) == "i");
  // Nor does what may have wrapped say anything of places.
  const Buffer a = make_buffer("A", {8}, kInt32), c = make_buffer("C", {8}, kInt32);
  const Expr y = load(a, {i}), least = load(c, {min(y, 3)});
  for (const Expr& chosen : {if_then_else(y + 5 < 8, least, 0), Expr(y + 5 < 8 && least > 0),
                             load(c, {if_then_else(y + 5 < 8, min(y, 3), 0)})}) {
    CHECK(to_text(analyzer.simplify_data(chosen)) == to_text(chosen));
  }
  CHECK(to_text(analyzer.simplify_data(if_then_else(y < 3, least, 0))) ==
        to_text(if_then_else(y < 3, load(c, {y}), 0)));
  // A variable may stand for such a value.
  const Var x("x", kInt32);
  CHECK(to_text(analyzer.simplify_data(x + 2 > x)) == "True");
  analyzer.bind_data(x);
  for (const Expr& data : {Expr(x + 2 > x), floor_div(x * 3, 3), x * 2 < 10}) {
    CHECK(to_text(analyzer.simplify_data(data)) == to_text(data));
  }
}

TEST_CASE("what is proved holds", "[property]") {
  int certain = 0, proved = 0;
  for_worlds(2, test::rounds(500), [&](IndexWorld& world, std::mt19937_64& random) {
    for (int i = 0; i < 16; ++i) {
      const Expr condition = test::random_condition(random, world.vars, static_cast<int>(random() % 3));
      const bool proof = world.analyzer.prove(condition);
      bool holds = true;
      for (const auto& values : world.assignments) {
        if (value(condition, values) != 0) continue;
        holds = false;
        if (!proof) break;
        FAIL(world.description << "\n  " << to_text(condition) << " was proved\n  but " << test::to_text(values));
      }
      certain += holds ? 1 : 0;
      proved += proof ? 1 : 0;
    }
  });
  INFO(proved << " of " << certain << " certain conditions were proved");
  CHECK(proved > 1000);
}

TEST_CASE("bounds contain every value", "[property]") {
  for_worlds(3, test::rounds(500), [](IndexWorld& world, std::mt19937_64& random) {
    for (int i = 0; i < 8; ++i) {
      const Expr e = test::random_int(random, world.vars, static_cast<int>(random() % 4));
      const Bounds bounds = world.analyzer.bounds(e);
      for (const auto& values : world.assignments) {
        const int64_t got = value(e, values);
        if (got >= bounds.min && got <= bounds.max) continue;
        FAIL(world.description << "\n  " << to_text(e) << " in " << bounds.min << " to " << bounds.max << "\n  but "
                               << test::to_text(values) << " gives " << got);
      }
    }
  });
  SUCCEED();
}

TEST_CASE("the extremes over some variables bound it for all values of the others", "[property]") {
  int known = 0, exact = 0;
  for_worlds(4, test::rounds(500), [&](IndexWorld& world, std::mt19937_64& random) {
    for (int i = 0; i < 8; ++i) {
      std::vector<Var> free;
      for (const Var& var : world.vars) {
        if (random() % 2 == 0) free.push_back(var);
      }
      const Expr e = test::random_int(random, world.vars, static_cast<int>(random() % 4));
      const Expr low = world.analyzer.lower_bound(e, free), high = world.analyzer.upper_bound(e, free);
      for (const Expr& bound : {low, high}) {
        if (!bound.defined()) continue;
        ++known;
        bool reached = false;
        const auto context = [&] {
          std::string text = fmt::format("{}\n  {} {} {} over", world.description, to_text(e),
                                         bound.same_as(low) ? ">=" : "<=", to_text(bound));
          for (const Var& var : free) text += " " + var.name();
          return text;
        };
        for (const Var& var : free) {
          if (uses_var(bound, var)) FAIL(context());
        }
        for (const auto& values : world.assignments) {
          const int64_t got = value(e, values), limit = value(bound, values);
          reached = reached || got == limit;
          if (bound.same_as(low) ? got >= limit : got <= limit) continue;
          FAIL(context() << "\n  but " << test::to_text(values) << " gives " << got << " against " << limit);
        }
        exact += reached ? 1 : 0;
      }
    }
  });
  INFO(exact << " of " << known << " bounds are reached");
  CHECK(known > 5000);
  CHECK(exact > known / 2);
}

}  // namespace vantage::test::compiler_ir_arith_simplify_test
