// The extremes of expressions over some of their variables.
#include "compiler/ir/arith/analyzer.h"

#include <algorithm>
#include <functional>

#include "compiler/ir/substitute.h"

namespace vantage::ir {

namespace {

bool contains(const std::vector<Var>& vars, const VarNode* var) {
  return std::any_of(vars.begin(), vars.end(), [&](const Var& v) { return v.get() == var; });
}

}  // namespace

Expr Analyzer::lower_bound(const Expr& expr, const std::vector<Var>& free) {
  return extreme(simplify(expr), free, false);
}

Expr Analyzer::upper_bound(const Expr& expr, const std::vector<Var>& free) {
  return extreme(simplify(expr), free, true);
}

Expr Analyzer::extreme(const Expr& expr, const std::vector<Var>& free, bool upper) {
  const auto is_free = [&](const VarNode* v) { return contains(free, v); };
  if (!uses_var(expr, is_free)) return expr;
  if (const auto* var = expr.as<VarNode>()) {
    const auto found = ranges_.find(var);
    if (found == ranges_.end()) {
      const Bounds b = bounds(expr);
      const int64_t bound = upper ? b.max : b.min;
      const bool none = bound == (upper ? Bounds::kInfinity : -Bounds::kInfinity);
      return none || !expr.dtype().holds(bound) ? Expr() : make_int(expr.dtype(), bound);
    }
    const Range& range = found->second.range;
    // The range may move with other free variables.
    return extreme(simplify(upper ? range.min + range.extent - 1 : range.min), free, upper);
  }
  const auto* op = expr.as<Binary>();
  if (op == nullptr || !counts(expr.dtype())) return {};
  switch (op->op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub: {
      const Linear sum = Linear::of(expr);
      if (sum.is_atom(expr)) return {};
      if (const Expr bound = extreme_of_related(sum, expr.dtype(), free, upper); bound.defined()) return bound;
      Linear total;
      total.add_constant(sum.constant);
      for (const auto& [atom, factor] : sum.terms) {
        const Expr bound = extreme(atom, free, (factor > 0) == upper);
        if (!bound.defined()) return {};
        total.add(Linear::of(bound), factor);
      }
      return total.exact ? simplify(total.to_expr(expr.dtype())) : Expr();
    }
    case BinaryOp::kMul: {
      for (const auto& [moving, fixed] : {std::pair{op->a, op->b}, {op->b, op->a}}) {
        if (uses_var(fixed, is_free)) continue;
        const Bounds b = bounds(fixed);
        if (b.min < 0 && b.max > 0) return {};
        const Expr bound = extreme(moving, free, (b.min >= 0) == upper);
        return bound.defined() ? simplify(bound * fixed) : Expr();
      }
      return {};
    }
    case BinaryOp::kFloorDiv: {
      if (uses_var(op->b, is_free) || bounds(op->b).min < 1) return {};
      const Expr bound = extreme(op->a, free, upper);
      return bound.defined() ? simplify(floor_div(bound, op->b)) : Expr();
    }
    case BinaryOp::kFloorMod: {
      if (uses_var(op->b, is_free) || bounds(op->b).min < 1) return {};
      const Expr low = extreme(op->a, free, false), high = extreme(op->a, free, true);
      // Within one turn of the modulus the remainder moves with the value.
      if (low.defined() && high.defined() && prove(floor_div(low, op->b) == floor_div(high, op->b))) {
        return simplify(floor_mod(upper ? high : low, op->b));
      }
      return upper ? simplify(op->b - 1) : make_zero(expr.dtype());
    }
    case BinaryOp::kMin:
    case BinaryOp::kMax: {
      const Expr a = extreme(op->a, free, upper), b = extreme(op->b, free, upper);
      return a.defined() && b.defined() ? make_binary(op->op, a, b) : Expr();
    }
    default: return {};
  }
}

// The extreme of a sum whose terms move together, where each term's own would be too wide: one range depends on another
// variable of the sum, or a minimum shares variables with the rest. Null where there is nothing of the kind.
Expr Analyzer::extreme_of_related(const Linear& sum, DType dtype, const std::vector<Var>& free, bool upper) {
  // Free variables that occur in `expr`.
  const auto free_in = [&](const Expr& expr) {
    return
        [&](const VarNode* v) { return contains(free, v) && uses_var(expr, [&](const VarNode* w) { return v == w; }); };
  };
  const auto replaced = [&](size_t i, const Expr& value) {
    Linear rest = sum;
    rest.terms.erase(rest.terms.begin() + static_cast<ptrdiff_t>(i));
    rest.add(Linear::of(value), sum.terms[i].factor);
    return rest.exact ? extreme(simplify(rest.to_expr(dtype)), free, upper) : Expr();
  };
  const auto shared = [&](size_t i, const std::function<bool(const VarNode*)>& wanted) {
    for (size_t other = 0; other < sum.terms.size(); ++other) {
      if (other != i && uses_var(sum.terms[other].atom, wanted)) return true;
    }
    return false;
  };
  for (size_t i = 0; i < sum.terms.size(); ++i) {
    const auto& [atom, factor] = sum.terms[i];
    if (const auto bound = ranges_.find(atom.as<VarNode>()); bound != ranges_.end()) {
      if (!contains(free, bound->first)) continue;
      const Range& range = bound->second.range;
      const Expr end = (factor > 0) == upper ? range.min + range.extent - 1 : range.min;
      if (shared(i, free_in(end))) return replaced(i, end);
      continue;
    }
    const auto* op = atom.as<Binary>();
    if (op == nullptr || (op->op != BinaryOp::kMin && op->op != BinaryOp::kMax)) continue;
    if (!shared(i, free_in(atom))) continue;
    const Expr a = replaced(i, op->a), b = replaced(i, op->b);
    if (!a.defined() || !b.defined()) return {};
    return simplify((op->op == BinaryOp::kMin) == (factor > 0) ? min(a, b) : max(a, b));
  }
  return {};
}

}  // namespace vantage::ir
