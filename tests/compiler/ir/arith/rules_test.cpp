#include "compiler/ir/arith/rules.h"

#include <set>

#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "tests/catch.h"
#include "tests/compiler/ir/evaluate.h"

namespace vantage::test::compiler_ir_arith_rules_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

std::string text(const Rule& rule) {
  std::string result = to_text(rule.pattern) + " -> " + to_text(rule.replacement);
  if (rule.condition.defined()) result += " where " + to_text(rule.condition);
  return result;
}

// The variables of a rule, by name.
std::map<std::string, Var> variables(const Rule& rule) {
  struct Search final : Visitor {
    using Visitor::visit;
    std::set<const VarNode*> seen;
    void visit_var(const VarNode& node) override { seen.insert(&node); }
  } search;
  search.visit(rule.pattern);
  search.visit(rule.replacement);
  if (rule.condition.defined()) search.visit(rule.condition);
  std::map<std::string, Var> result;
  const std::function<void(const Expr&)> collect = [&](const Expr& e) {
    if (const Var var = Var::of(e); var.defined()) result.emplace(var.name(), var);
    if (const auto* op = e.as<Binary>()) collect(op->a), collect(op->b);
    if (const auto* op = e.as<Not>()) collect(op->value);
    if (const auto* op = e.as<Select>()) collect(op->condition), collect(op->if_true), collect(op->if_false);
  };
  collect(rule.pattern);
  REQUIRE(result.size() == search.seen.size());  // nothing in the replacement that the pattern does not bind
  return result;
}

// Calls `visit` for every assignment of small values to the variables.
void for_all(const std::map<std::string, Var>& vars, const std::function<void(const test::Assignment&)>& visit) {
  test::Assignment values;
  const std::function<void(std::map<std::string, Var>::const_iterator)> next = [&](auto at) {
    if (at == vars.end()) return visit(values);
    const bool logical = at->second.dtype().is_bool();
    for (int64_t value = logical ? 0 : -4; value <= (logical ? 1 : 4); ++value) {
      values[at->second.get()] = value;
      next(std::next(at));
    }
  };
  next(vars.begin());
}

// What the rule matches with literals for c and d and fresh variables for the others, in integers of `dtype`.
VarMap instance(const std::map<std::string, Var>& vars, DType dtype, int64_t c, int64_t d) {
  VarMap map;
  for (const auto& [name, var] : vars) {
    Expr value = Var("some_" + name, var.dtype().is_bool() ? kBool : dtype);
    if (name == "c") value = make_int(dtype, c);
    if (name == "d") value = make_int(dtype, d);
    map.emplace(var.get(), value);
  }
  return map;
}

// A tree with other literals of the same value, but of this type.
Expr retyped(const Expr& e, const VarMap& map, DType dtype) {
  struct Retype final : Mutator {
    using Mutator::visit;
    const VarMap* map = nullptr;
    DType dtype;
    Expr visit(const Expr& expr) override {
      if (const int64_t* value = as_int(expr); value != nullptr && expr.dtype().is_int())
        return make_int(dtype, *value);
      return Mutator::visit(expr);
    }
    Expr visit_var(const VarNode& node, const Expr&) override { return map->at(&node); }
  } retype;
  retype.map = &map;
  retype.dtype = dtype;
  return retype.visit(e);
}

}  // namespace

TEST_CASE("both sides of every rule have one value wherever the left one has", "[property]") {
  for (const Rule& rule : rules()) {
    const auto vars = variables(rule);
    size_t held = 0;
    for_all(vars, [&](const test::Assignment& values) {
      if (rule.condition.defined() && test::evaluate(rule.condition, values) != 1) return;
      const auto expected = test::evaluate(rule.pattern, values);
      if (!expected) return;
      ++held;
      if (test::evaluate(rule.replacement, values) == expected) return;
      FAIL(text(rule) << " for " << test::to_text(values));
    });
    INFO(text(rule));
    CHECK(held > 0);
  }
}

TEST_CASE("every rule fires, in every width", "[property]") {
  for (const Rule& rule : rules()) {
    const auto vars = variables(rule);
    for (const DType dtype : {kInt32, kInt64, kInt16}) {
      size_t fired = 0;
      for (int64_t c = 2; c <= 6; ++c) {
        for (int64_t d = 2; d <= 6; ++d) {
          const VarMap map = instance(vars, dtype, c, d);
          if (rule.condition.defined() && !is_int(retyped(rule.condition, map, dtype), 1)) continue;
          const Expr before = retyped(rule.pattern, map, dtype);
          const Expr expected = retyped(rule.replacement, map, dtype);
          const Expr after = rewrite(before);
          INFO(text(rule) << " on " << to_text(before));
          REQUIRE(after.defined());
          REQUIRE(after.dtype() == before.dtype());
          INFO("got " << to_text(after) << ", expected " << to_text(expected));
          REQUIRE(structural_equal(after, expected));
          ++fired;
        }
      }
      INFO(text(rule));
      CHECK(fired > 0);
    }
  }
}

TEST_CASE("a rule does not fire where its condition does not hold", "[unit]") {
  const Var x("x");
  CHECK_FALSE(rewrite(floor_div(floor_div(x, -2), 3)).defined());
  CHECK_FALSE(rewrite(floor_mod(floor_mod(x, 6), 4)).defined());
  CHECK(to_text(rewrite(floor_mod(floor_mod(x, 12), 4))) == "x % 4");
  CHECK_FALSE(rewrite(max(min(x, 4), 3)).defined());
  CHECK_FALSE(rewrite(min(max(x, 3), 4)).defined());
  CHECK_FALSE(rewrite(x + 1).defined());
  CHECK_FALSE(rewrite(x).defined());
}

TEST_CASE("divisors whose product overflows stay apart", "[unit]") {
  const Var x("x"), s("s", kInt8);
  CHECK_FALSE(rewrite(floor_div(floor_div(x, 65536), 65536)).defined());
  CHECK_FALSE(rewrite(floor_div(floor_div(x, 65537), 65536)).defined());
  CHECK(to_text(rewrite(floor_div(floor_div(x, 32768), 65535))) == "x // 2147450880");
  CHECK_FALSE(rewrite(floor_div(floor_div(s, 16), 8)).defined());
  CHECK(to_text(rewrite(floor_div(floor_div(s, 16), 7))) == "s // T.int8(112)");
}

TEST_CASE("what a rule matches twice must be equal", "[unit]") {
  const Var x("x"), y("y");
  CHECK(to_text(rewrite(min(max(x + 1, y), x + 1))) == "x + 1");
  CHECK_FALSE(rewrite(min(max(x + 1, y), x + 2)).defined());
  const Var f("f", kFloat32);
  CHECK_FALSE(rewrite(min(max(f, f + 1), f)).defined());  // not so for a NaN
}

}  // namespace vantage::test::compiler_ir_arith_rules_test
