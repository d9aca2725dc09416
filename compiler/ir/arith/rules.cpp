#include "compiler/ir/arith/rules.h"

#include <array>

#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"

namespace vantage::ir {

namespace {

std::vector<Rule> make_rules() {
  const Var x("x"), y("y"), z("z"), c("c"), d("d");
  const Var p("p", kBool), q("q", kBool);
  return {
      // min and max
      {min(min(x, c), d), min(x, min(c, d)), {}},
      {max(max(x, c), d), max(x, max(c, d)), {}},
      {min(c, x), min(x, c), {}},
      {max(c, x), max(x, c), {}},
      {min(min(x, y), x), min(x, y), {}},
      {min(min(x, y), y), min(x, y), {}},
      {max(max(x, y), x), max(x, y), {}},
      {max(max(x, y), y), max(x, y), {}},
      {min(max(x, y), x), x, {}},
      {min(max(x, y), y), y, {}},
      {max(min(x, y), x), x, {}},
      {max(min(x, y), y), y, {}},
      {min(x, max(x, y)), x, {}},
      {min(x, max(y, x)), x, {}},
      {max(x, min(x, y)), x, {}},
      {max(x, min(y, x)), x, {}},
      {max(min(x, c), d), d, c <= d},
      {min(max(x, c), d), d, c >= d},

      // divisions of divisions; what a sum leaves is the linear part's business
      {floor_div(floor_div(x, c), d), floor_div(x, c * d), c > 0 && d > 0 && floor_div(c * d, d) == c},  // no overflow
      {floor_mod(floor_mod(x, c), d), floor_mod(x, d), c > 0 && d > 0 && floor_mod(c, d) == 0},
      {floor_mod(x, x), make_int(kInt32, 0), {}},
      {floor_div(x, x), make_int(kInt32, 1), {}},

      // comparisons with min and max
      {min(x, y) <= x, true, {}},
      {min(x, y) <= y, true, {}},
      {x <= max(x, y), true, {}},
      {y <= max(x, y), true, {}},
      {x < min(x, y), false, {}},
      {y < min(x, y), false, {}},
      {max(x, y) < x, false, {}},
      {max(x, y) < y, false, {}},

      // logic
      {p && p, p, {}},
      {p || p, p, {}},
      {p && !p, false, {}},
      {!p && p, false, {}},
      {p || !p, true, {}},
      {!p || p, true, {}},
      {(p && q) && p, p && q, {}},
      {(p && q) && q, p && q, {}},
      {p && (p && q), p && q, {}},
      {(p || q) || p, p || q, {}},
      {(p || q) || q, p || q, {}},
      {!(p && q), !p || !q, {}},
      {!(p || q), !p && !q, {}},
      {!(x < y), y <= x, {}},
      {!(x <= y), y < x, {}},
      {!(x > y), x <= y, {}},
      {!(x >= y), x < y, {}},
      {!(x == y), x != y, {}},
      {!(x != y), x == y, {}},

      // choices
      {if_then_else(p, x, x), x, {}},
      {if_then_else(!p, x, y), if_then_else(p, y, x), {}},
      {if_then_else(p, if_then_else(p, x, y), z), if_then_else(p, x, z), {}},
      {if_then_else(p, x, if_then_else(p, y, z)), if_then_else(p, x, z), {}},
      {if_then_else(p, if_then_else(q, x, y), y), if_then_else(p && q, x, y), {}},
  };
}

bool is_literal_pattern(const VarNode& var) {
  return var.name == "c" || var.name == "d";
}

// Structures are compared without regard to widths: the rules are written for int32 and hold for every integer type.
class Match {
 public:
  bool match(const Expr& pattern, const Expr& expr) {
    if (const auto* var = pattern.as<VarNode>()) {
      if (is_literal_pattern(*var) && as_int(expr) == nullptr) return false;
      if (var->dtype.is_bool() != expr.dtype().is_bool() || expr.dtype().is_float()) return false;
      for (const auto& [known, value] : values_) {
        if (known == var) return structural_equal(value, expr);
      }
      values_.emplace_back(var, expr);
      return true;
    }
    if (pattern.kind() != expr.kind()) return false;
    switch (pattern.kind()) {
      case ExprKind::kIntImm: return pattern.as<IntImm>()->value == expr.as<IntImm>()->value;
      case ExprKind::kNot: return match(pattern.as<Not>()->value, expr.as<Not>()->value);
      case ExprKind::kBinary: {
        const auto *a = pattern.as<Binary>(), *b = expr.as<Binary>();
        return a->op == b->op && match(a->a, b->a) && match(a->b, b->b);
      }
      case ExprKind::kSelect: {
        const auto *a = pattern.as<Select>(), *b = expr.as<Select>();
        return match(a->condition, b->condition) && match(a->if_true, b->if_true) && match(a->if_false, b->if_false);
      }
      default: return false;
    }
  }

  Expr apply(const Expr& expr) const {
    VarMap map;
    for (const auto& [var, value] : values_) map.emplace(var, value);
    return substitute(expr, map);
  }

 private:
  std::vector<std::pair<const VarNode*, Expr>> values_;
};

// Rules by what the outermost operation of their patterns is.
size_t head(const Expr& expr) {
  if (const auto* op = expr.as<Binary>()) return static_cast<size_t>(op->op);
  if (expr.kind() == ExprKind::kNot) return 32;
  if (expr.kind() == ExprKind::kSelect) return 33;
  return 34;
}

using RuleIndex = std::array<std::vector<const Rule*>, 35>;

RuleIndex make_index() {
  RuleIndex index;
  for (const Rule& rule : rules()) index[head(rule.pattern)].push_back(&rule);
  return index;
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = make_rules();
  return kRules;
}

Expr rewrite(const Expr& expr) {
  static const RuleIndex kByHead = make_index();
  for (const Rule* rule : kByHead[head(expr)]) {
    Match match;
    if (!match.match(rule->pattern, expr)) continue;
    if (rule->condition.defined() && !is_int(match.apply(rule->condition), 1)) continue;
    const Expr result = match.apply(rule->replacement);
    // A replacement that is one literal of a rule has the rule's type.
    const int64_t* value = as_int(result);
    return value != nullptr && result.dtype() != expr.dtype() ? make_int(expr.dtype(), *value) : result;
  }
  return {};
}

}  // namespace vantage::ir
