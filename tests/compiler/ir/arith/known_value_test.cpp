#include "compiler/ir/arith/known_value.h"

#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/ir/random_index.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_ir_arith_known_value_test {

using namespace vantage;
using namespace vantage::ir;

TEST_CASE("a value that is known is the expression's, also where a variable has none", "[property]") {
  std::mt19937_64 random = test::generator(11);
  int decided = 0;
  for (int round = 0; round < test::rounds(500); ++round) {
    const test::IndexWorld world = test::random_world(random, 20);
    const int depth = static_cast<int>(random() % 5);
    const Expr expr = random() % 2 == 0 ? test::random_condition(random, world.vars, depth)
                                        : test::random_int(random, world.vars, depth);
    const VarNode* missing = world.vars[random() % world.vars.size()].get();
    for (const auto& assignment : world.assignments) {
      const std::optional<int64_t> expected = test::evaluate(expr, assignment);
      INFO(to_text(expr) << "\n  for " << test::to_text(assignment));
      VarValues values(assignment.begin(), assignment.end());
      REQUIRE(known_value(expr, values) == expected);
      values.erase(missing);
      const std::optional<int64_t> without = known_value(expr, values);
      INFO("without " << missing->name);
      if (without) REQUIRE(without == expected);
      decided += without ? 1 : 0;
    }
  }
  CHECK(decided > 100);
}

TEST_CASE("what depends on memory or floats has no known value", "[unit]") {
  const Var i("i"), f("f", kFloat32);
  const Buffer a = make_buffer("A", {8}, kInt32);
  const VarValues values = {{i.get(), 3}};
  CHECK(known_value(i * 2 + 1, values) == 7);
  CHECK_FALSE(known_value(load(a, {i}), values).has_value());
  CHECK_FALSE(known_value(cast(kInt32, f), values).has_value());
  CHECK_FALSE(known_value(floor_div(i, i - 3), values).has_value());
  // One side may decide.
  CHECK(known_value(i < 3 && load(a, {i}) == 0, values) == 0);
  CHECK(known_value(i == 3 || load(a, {i}) == 0, values) == 1);
  // Data wrap at their width.
  CHECK(known_value(cast(kInt8, i * 100), values) == 44);
}

}  // namespace vantage::test::compiler_ir_arith_known_value_test
