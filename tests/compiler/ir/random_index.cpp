#include "tests/compiler/ir/random_index.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "compiler/ir/printer.h"

namespace vantage::test {

using namespace ir;

namespace {

int64_t pick(std::mt19937_64& random, int64_t first, int64_t last) {
  return first + static_cast<int64_t>(random() % static_cast<uint64_t>(last - first + 1));
}

// What a variable may be: literal bounds, or a range that depends on variables before it.
struct Domain {
  Var var;
  int64_t first = 0, last = 0;
  Range range{};  // null: the bounds
};

void enumerate(const std::vector<Domain>& domains, size_t at, Assignment& values,
               const std::function<void(const Assignment&)>& visit) {
  if (at == domains.size()) return visit(values);
  const Domain& domain = domains[at];
  int64_t first = domain.first, last = domain.last;
  if (domain.range.min.defined()) {
    first = *evaluate(domain.range.min, values);
    last = first + *evaluate(domain.range.extent, values) - 1;
  }
  for (int64_t value = first; value <= last; ++value) {
    values[domain.var.get()] = value;
    enumerate(domains, at + 1, values, visit);
  }
  values.erase(domain.var.get());
}

Range random_range(std::mt19937_64& random, const std::vector<Var>& earlier) {
  const Expr &n = earlier.front(), &other = earlier.back();
  switch (random() % 7) {
    case 0: return {0, n};
    case 1: return {0, floor_div(n + 3, 4)};
    case 2: return {other, pick(random, 1, 4)};
    case 3: return {0, min(4, 13 - other * 4)};
    case 4: return {0, other + 1};
    default: return {static_cast<int>(pick(random, -3, 3)), static_cast<int>(pick(random, 1, 6))};
  }
}

}  // namespace

IndexWorld random_world(std::mt19937_64& random, size_t most) {
  IndexWorld world;
  const DType dtype = random() % 4 == 0 ? kInt64 : kInt32;
  const Var n("n", dtype);
  world.vars.push_back(n);
  std::vector<Domain> domains = {{n, 1, 6}};
  world.analyzer.bind(n, Bounds{1, random() % 2 == 0 ? 6 : Bounds::kInfinity});
  for (const char* name : {"i", "j", "k"}) {
    if (world.vars.size() > 2 && random() % 4 == 0) continue;
    const Var var(name, dtype);
    Domain domain{var, -4, 5};
    switch (random() % 8) {
      case 0: world.description += fmt::format("{} free; ", name); break;
      case 1:
        domain.first = pick(random, -4, 4);
        domain.last = domain.first + pick(random, 0, 6);
        world.analyzer.bind(var, Bounds{domain.first, domain.last});
        world.description += fmt::format("{} in {} to {}; ", name, domain.first, domain.last);
        break;
      default:
        domain.range = random_range(random, world.vars);
        world.analyzer.bind(var, domain.range);
        world.with_range.push_back(var);
        world.description += fmt::format("{} in {}; ", name, ir::to_text(domain.range));
    }
    world.vars.push_back(var);
    domains.push_back(domain);
  }
  std::vector<Expr> facts;
  for (uint64_t i = random() % 3; i > 0; --i) {
    facts.push_back(random_condition(random, world.vars, 1));
    world.analyzer.assume(facts.back());
    world.description += fmt::format("where {}; ", ir::to_text(facts.back()));
  }
  Assignment values;
  size_t allowed = 0;
  enumerate(domains, 0, values, [&](const Assignment& all) {
    if (!std::all_of(facts.begin(), facts.end(), [&](const Expr& e) { return *evaluate(e, all) != 0; })) return;
    // Each is kept with the same probability.
    if (world.assignments.size() < most) {
      world.assignments.push_back(all);
    } else if (const size_t place = random() % (allowed + 1); place < most) {
      world.assignments[place] = all;
    }
    ++allowed;
  });
  return world;
}

Expr random_int(std::mt19937_64& random, const std::vector<Var>& vars, int depth) {
  const auto any = [&] { return Expr(vars[random() % vars.size()]); };
  const auto literal = [&](int64_t first, int64_t last) {
    return make_int(vars.front().dtype(), pick(random, first, last));
  };
  const auto inner = [&] { return random_int(random, vars, depth - 1); };
  if (depth == 0) return random() % 4 == 0 ? literal(-9, 17) : any();
  const auto divisor = [&] { return random() % 4 == 0 ? Expr(vars.front()) : literal(1, 8); };
  switch (random() % 13) {
    case 0: return inner() + inner();
    case 1: return inner() - inner();
    case 2: return inner() + literal(-9, 9);
    case 3:
    case 4: return inner() * literal(-5, 8);
    case 5: return any() * any();
    case 6:
    case 7: return floor_div(inner(), divisor());
    case 8:
    case 9: return floor_mod(inner(), divisor());
    case 10: return min(inner(), inner());
    case 11: return max(inner(), inner());
    default: return if_then_else(random_condition(random, vars, depth - 1), inner(), inner());
  }
}

Expr random_condition(std::mt19937_64& random, const std::vector<Var>& vars, int depth) {
  if (depth > 0 && random() % 3 == 0) {
    const Expr a = random_condition(random, vars, depth - 1), b = random_condition(random, vars, depth - 1);
    switch (random() % 4) {
      case 0: return a && b;
      case 1: return a || b;
      case 2: return !a;
      default: return call("likely", {a});
    }
  }
  static constexpr BinaryOp kOps[] = {BinaryOp::kLt, BinaryOp::kLe, BinaryOp::kGt,
                                      BinaryOp::kGe, BinaryOp::kEq, BinaryOp::kNe};
  const Expr a = random_int(random, vars, depth), b = random_int(random, vars, static_cast<int>(random() % 2));
  return make_binary(kOps[random() % 6], a, b);
}

}  // namespace vantage::test
