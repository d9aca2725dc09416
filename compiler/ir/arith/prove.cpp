// Facts and proofs.
#include "compiler/ir/arith/analyzer.h"

#include <algorithm>

#include "compiler/ir/arith/rules.h"
#include "compiler/ir/intrinsics.h"

namespace vantage::ir {

namespace {

// a - b - by.
Linear difference(const Expr& a, const Expr& b, int64_t by) {
  Linear sum = Linear::of(a);
  sum.add(Linear::of(b), -1);
  sum.add_constant(by, -1);
  return sum;
}

// The condition without hints.
Expr plain(const Expr& condition) {
  if (const auto* hint = condition.as<Call>(); hint != nullptr && hint->function == kLikely) {
    return plain(hint->arguments[0]);
  }
  return condition;
}

}  // namespace

size_t Analyzer::assume(const Expr& given) {
  const size_t before = facts_.size();
  Expr condition = plain(given);
  if (condition.kind() == ExprKind::kNot) condition = rewrite(condition);
  if (!condition.defined()) return before;
  const auto* op = condition.as<Binary>();
  if (op == nullptr) return before;
  if (op->op == BinaryOp::kAnd) {
    assume(op->a);
    assume(op->b);
    return before;
  }
  if (!is_comparison(op->op) || !counts(op->a.dtype())) return before;
  const auto at_least = [&](const Expr& a, const Expr& b, int64_t by) {
    const Linear fact = difference(a, b, by);
    if (fact.exact) facts_.push_back(fact);
  };
  switch (op->op) {
    case BinaryOp::kLt: at_least(op->b, op->a, 1); break;
    case BinaryOp::kLe: at_least(op->b, op->a, 0); break;
    case BinaryOp::kGt: at_least(op->a, op->b, 1); break;
    case BinaryOp::kGe: at_least(op->a, op->b, 0); break;
    case BinaryOp::kEq:
      at_least(op->a, op->b, 0);
      at_least(op->b, op->a, 0);
      break;
    default: break;
  }
  return before;
}

// Depth-first: replaces atoms by bounds of theirs and takes known facts away until constants decide.
bool Analyzer::nonnegative(const Linear& sum, int depth, int& steps) const {
  if (!sum.exact) return false;
  if (bounds(sum).min >= 0) return true;
  if (depth == 0 || steps-- <= 0) return false;
  if (nonnegative_without_atom(sum, depth, steps)) return true;
  for (const Linear& fact : facts_) {
    // Taken away as often as it makes a term disappear, or come near to that.
    int64_t times = 0;
    for (const auto& term : sum.terms) {
      const int64_t factor = fact.factor_of(term.atom);
      if (factor != 0 && (factor < 0) == (term.factor < 0)) times = std::max({times, int64_t{1}, term.factor / factor});
    }
    if (times == 0) continue;
    Linear rest = sum;
    rest.add(fact, -times);
    if (nonnegative(rest, depth - 1, steps)) return true;
  }
  return false;
}

// Replaces one atom: an operation if there is one, else the variable that was bound last.
bool Analyzer::nonnegative_without_atom(const Linear& sum, int depth, int& steps) const {
  const auto with = [&](size_t i, const Expr& value, int64_t factor) {
    Linear rest = sum;
    rest.terms.erase(rest.terms.begin() + static_cast<ptrdiff_t>(i));
    rest.add(Linear::of(value), factor);
    return nonnegative(rest, depth - 1, steps);
  };
  size_t latest = sum.terms.size();
  for (size_t i = 0; i < sum.terms.size(); ++i) {
    const auto& [atom, factor] = sum.terms[i];
    if (const auto* op = atom.as<Binary>()) {
      const bool both = op->op == (factor > 0 ? BinaryOp::kMin : BinaryOp::kMax);
      if (op->op == BinaryOp::kMin || op->op == BinaryOp::kMax) {
        const bool first = with(i, op->a, factor);
        if (first != both) return first;
        return with(i, op->b, factor);
      }
      const int64_t* divisor = as_int(op->b);
      if (op->op == BinaryOp::kFloorDiv && divisor != nullptr && *divisor > 0 && factor % *divisor == 0) {
        return with(i, factor > 0 ? op->a - (*divisor - 1) : op->a, factor / *divisor);
      }
      if (op->op == BinaryOp::kFloorDiv && divisor != nullptr && *divisor > 0) {
        // Everything times the divisor: an integer above -1 is not negative.
        Linear rest = sum;
        rest.terms.erase(rest.terms.begin() + static_cast<ptrdiff_t>(i));
        Linear scaled;
        scaled.add(rest, *divisor);
        scaled.add(Linear::of(factor > 0 ? op->a - (*divisor - 1) : op->a), factor);
        scaled.add_constant(*divisor - 1);
        if (nonnegative(scaled, depth - 1, steps)) return true;
        continue;
      }
      if (op->op == BinaryOp::kFloorMod && factor < 0 && divisor == nullptr && bounds(op->b).min >= 1) {
        return with(i, op->b - 1, factor);
      }
      if (op->op == BinaryOp::kMul) {
        // A variable times what is not negative moves with the variable.
        for (const auto& [v, other] : {std::pair{op->a, op->b}, {op->b, op->a}}) {
          const auto range = ranges_.find(v.as<VarNode>());
          if (range == ranges_.end() || bounds(other).min < 0) continue;
          const Range& r = range->second.range;
          return with(i, (factor > 0 ? r.min : r.min + r.extent - 1) * other, factor);
        }
      }
      continue;
    }
    const auto range = ranges_.find(atom.as<VarNode>());
    if (range == ranges_.end()) continue;
    if (latest == sum.terms.size() || range->second.order > ranges_.at(sum.terms[latest].atom.as<VarNode>()).order) {
      latest = i;
    }
  }
  if (latest == sum.terms.size()) return false;
  const auto& [atom, factor] = sum.terms[latest];
  const Range& range = ranges_.at(atom.as<VarNode>()).range;
  return with(latest, factor > 0 ? range.min : range.min + range.extent - 1, factor);
}

// a - b >= by.
bool Analyzer::prove_at_least(const Expr& a, const Expr& b, int64_t by) const {
  constexpr int kDepth = 12;
  int steps = 100;
  return nonnegative(difference(a, b, by), kDepth, steps);
}

bool Analyzer::prove(const Expr& given) {
  const Expr condition = plain(given);
  if (const int64_t* value = as_int(condition)) return *value != 0;
  if (condition.kind() == ExprKind::kNot) {
    // A rule moves the negation inwards: to a comparison, or to the sides of a conjunction.
    const Expr inside = rewrite(condition);
    return inside.defined() && prove(inside);
  }
  const auto* op = condition.as<Binary>();
  if (op == nullptr) return false;
  if (op->op == BinaryOp::kAnd) return prove(op->a) && prove(op->b);
  if (op->op == BinaryOp::kOr) return prove(op->a) || prove(op->b);
  if (!is_comparison(op->op) || !counts(op->a.dtype())) return false;
  switch (op->op) {
    case BinaryOp::kLt: return prove_at_least(op->b, op->a, 1);
    case BinaryOp::kLe: return prove_at_least(op->b, op->a, 0);
    case BinaryOp::kGt: return prove_at_least(op->a, op->b, 1);
    case BinaryOp::kGe: return prove_at_least(op->a, op->b, 0);
    case BinaryOp::kEq: return prove_at_least(op->a, op->b, 0) && prove_at_least(op->b, op->a, 0);
    case BinaryOp::kNe: return prove_at_least(op->a, op->b, 1) || prove_at_least(op->b, op->a, 1);
    default: return false;
  }
}

}  // namespace vantage::ir
