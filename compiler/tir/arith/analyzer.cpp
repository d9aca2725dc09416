#include "compiler/tir/arith/analyzer.h"

#include <algorithm>
#include <functional>

#include "compiler/tir/arith/rules.h"
#include "compiler/tir/arith/simplifier.h"
#include "compiler/tir/intrinsics.h"
#include "compiler/tir/substitute.h"
#include "hw/spec/error.h"

namespace vantage::tir {

namespace {

constexpr int64_t kInfinity = Bounds::kInfinity;

bool is_infinite(int64_t v) {
  return v == kInfinity || v == -kInfinity;
}

int64_t add(int64_t a, int64_t b) {
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return a < 0 ? -kInfinity : kInfinity;
  return result;
}

int64_t multiply(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  int64_t result = 0;
  if (!is_infinite(a) && !is_infinite(b) && !__builtin_mul_overflow(a, b, &result)) return result;
  return (a < 0) == (b < 0) ? kInfinity : -kInfinity;
}

int64_t divide(int64_t a, int64_t divisor) {
  if (is_infinite(a)) return a;
  return a / divisor - (a % divisor < 0 ? 1 : 0);
}

Bounds product(const Bounds& a, const Bounds& b) {
  const int64_t corners[] = {multiply(a.min, b.min), multiply(a.min, b.max), multiply(a.max, b.min),
                             multiply(a.max, b.max)};
  return {*std::min_element(std::begin(corners), std::end(corners)),
          *std::max_element(std::begin(corners), std::end(corners))};
}

Bounds hull(const Bounds& a, const Bounds& b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

// The condition without hints.
Expr plain(const Expr& condition) {
  if (const auto* hint = condition.as<Call>(); hint != nullptr && hint->function == kLikely) {
    return plain(hint->arguments[0]);
  }
  return condition;
}

}  // namespace

void Analyzer::bind(const Var& var, const Range& range) {
  order_.emplace(var.get(), order_.size());
  const Bounds first = bounds(range.min), count = bounds(range.extent);
  constant_[var.get()] = {first.min, add(first.max, add(count.max, -1))};
  ranges_[var.get()] = range;
}

void Analyzer::bind(const Var& var, const Bounds& bounds) {
  order_.emplace(var.get(), order_.size());
  constant_[var.get()] = bounds;
}

void Analyzer::bind_sizes(const PrimFunc& function) {
  for (const Buffer& buffer : function.buffers()) {
    for (const Expr& size : buffer->shape) {
      if (const Var var = Var::of(size); var.defined()) bind(var, Bounds{1, kInfinity});
    }
  }
}

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
  if (!is_comparison(op->op) || !op->a.dtype().is_int()) return before;
  const auto at_least = [&](const Expr& a, const Expr& b, int64_t by) {
    Linear sum = Linear::of(a);
    sum.add(Linear::of(b), -1);
    sum.constant -= by;
    facts_.push_back({sum});
  };
  switch (op->op) {
    case BinaryOp::kLt:
      at_least(op->b, op->a, 1);
      break;
    case BinaryOp::kLe:
      at_least(op->b, op->a, 0);
      break;
    case BinaryOp::kGt:
      at_least(op->a, op->b, 1);
      break;
    case BinaryOp::kGe:
      at_least(op->a, op->b, 0);
      break;
    case BinaryOp::kEq:
      at_least(op->a, op->b, 0);
      at_least(op->b, op->a, 0);
      break;
    default:
      break;
  }
  return before;
}

Bounds Analyzer::bounds(const Linear& sum) const {
  Bounds result{sum.constant, sum.constant};
  for (const auto& term : sum.terms) {
    const Bounds atom = product(bounds(term.atom), {term.factor, term.factor});
    result = {add(result.min, atom.min), add(result.max, atom.max)};
  }
  return result;
}

Bounds Analyzer::bounds(const Expr& expr) const {
  // What a narrow type cannot hold is no value of it. For wide ones nothing is known: arithmetic does not overflow.
  const auto of_type = [](DType type) {
    return type.is_bool() || (type.is_int() && type.bits() < 32) ? Bounds{type.min_int(), type.max_int()} : Bounds{};
  };
  switch (expr.kind()) {
    case ExprKind::kIntImm:
      return {expr.as<IntImm>()->value, expr.as<IntImm>()->value};
    case ExprKind::kVar: {
      const auto found = constant_.find(expr.as<VarNode>());
      return found != constant_.end() ? found->second : of_type(expr.dtype());
    }
    case ExprKind::kCast: {
      const Expr& inner = expr.as<Cast>()->value;
      if (inner.dtype().is_int() && expr.dtype().is_int()) {
        const Bounds b = bounds(inner);
        if (expr.dtype().bits() >= 32 || (expr.dtype().holds(b.min) && expr.dtype().holds(b.max))) return b;
      }
      return of_type(expr.dtype());
    }
    case ExprKind::kSelect:
      return hull(bounds(expr.as<Select>()->if_true), bounds(expr.as<Select>()->if_false));
    case ExprKind::kBinary: {
      const auto* op = expr.as<Binary>();
      switch (op->op) {
        case BinaryOp::kAdd:
        case BinaryOp::kSub: {
          const Linear sum = Linear::of(expr);
          return bounds(sum);
        }
        case BinaryOp::kMul:
          return product(bounds(op->a), bounds(op->b));
        case BinaryOp::kFloorDiv: {
          const Bounds a = bounds(op->a), b = bounds(op->b);
          if (b.min < 1) return {};
          const int64_t low = a.min >= 0 ? (is_infinite(b.max) ? 0 : divide(a.min, b.max)) : divide(a.min, b.min);
          const int64_t high = a.max >= 0 ? divide(a.max, b.min) : (is_infinite(b.max) ? -1 : divide(a.max, b.max));
          return {low, high};
        }
        case BinaryOp::kFloorMod: {
          const Bounds a = bounds(op->a), b = bounds(op->b);
          if (b.min < 1) return {};
          if (a.min >= 0 && a.max < b.min) return a;
          return {0, std::min(add(b.max, -1), a.min >= 0 ? a.max : kInfinity)};
        }
        case BinaryOp::kMin: {
          const Bounds a = bounds(op->a), b = bounds(op->b);
          return {std::min(a.min, b.min), std::min(a.max, b.max)};
        }
        case BinaryOp::kMax: {
          const Bounds a = bounds(op->a), b = bounds(op->b);
          return {std::max(a.min, b.min), std::max(a.max, b.max)};
        }
        default:
          return of_type(expr.dtype());
      }
    }
    default:
      return of_type(expr.dtype());
  }
}

// Replaces atoms by bounds of theirs, the variables bound last first, until constants decide.
bool Analyzer::nonnegative(Linear sum, int depth) const {
  if (bounds(sum).min >= 0) return true;
  if (depth == 0) return false;
  for (const Fact& fact : facts_) {
    const bool helps = std::any_of(sum.terms.begin(), sum.terms.end(), [&](const auto& term) {
      const int64_t factor = fact.at_least_zero.factor_of(term.atom);
      return factor != 0 && (factor < 0) == (term.factor < 0);
    });
    if (!helps) continue;
    Linear rest = sum;
    rest.add(fact.at_least_zero, -1);
    if (nonnegative(rest, depth - 1)) return true;
  }
  const auto without = [&](size_t i) {
    Linear rest = sum;
    rest.terms.erase(rest.terms.begin() + static_cast<ptrdiff_t>(i));
    return rest;
  };
  const auto with = [&](size_t i, const Expr& value, int64_t factor) {
    Linear rest = without(i);
    rest.add(Linear::of(value), factor);
    return nonnegative(std::move(rest), depth - 1);
  };
  size_t latest = sum.terms.size();
  size_t latest_order = 0;
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
      if (op->op == BinaryOp::kMul) {
        // A variable times what is not negative moves with the variable.
        for (const auto& [v, other] : {std::pair{op->a, op->b}, {op->b, op->a}}) {
          const auto range = ranges_.find(v.as<VarNode>());
          if (range == ranges_.end() || bounds(other).min < 0) continue;
          const Range& r = range->second;
          return with(i, (factor > 0 ? r.min : r.min + r.extent - 1) * other, factor);
        }
      }
      continue;
    }
    const auto* var = atom.as<VarNode>();
    if (var == nullptr || ranges_.find(var) == ranges_.end()) continue;
    const size_t order = order_.at(var);
    if (latest == sum.terms.size() || order > latest_order) {
      latest = i;
      latest_order = order;
    }
  }
  if (latest == sum.terms.size()) return false;
  const auto [atom, factor] = sum.terms[latest];
  const Range& range = ranges_.at(atom.as<VarNode>());
  return with(latest, factor > 0 ? range.min : range.min + range.extent - 1, factor);
}

bool Analyzer::prove_nonnegative(const Expr& expr) const {
  constexpr int kDepth = 12;
  return nonnegative(Linear::of(expr), kDepth);
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
  if (!is_comparison(op->op) || !op->a.dtype().is_int()) return false;
  switch (op->op) {
    case BinaryOp::kLt:
      return prove_nonnegative(op->b - op->a - 1);
    case BinaryOp::kLe:
      return prove_nonnegative(op->b - op->a);
    case BinaryOp::kGt:
      return prove_nonnegative(op->a - op->b - 1);
    case BinaryOp::kGe:
      return prove_nonnegative(op->a - op->b);
    case BinaryOp::kEq:
      return prove_nonnegative(op->a - op->b) && prove_nonnegative(op->b - op->a);
    case BinaryOp::kNe:
      return prove_nonnegative(op->a - op->b - 1) || prove_nonnegative(op->b - op->a - 1);
    default:
      return false;
  }
}

Expr Analyzer::simplify(const Expr& expr) {
  return Simplifier(*this).visit(expr);
}

Expr Analyzer::lower_bound(const Expr& expr, const std::vector<Var>& free) {
  return extreme(simplify(expr), free, false);
}

Expr Analyzer::upper_bound(const Expr& expr, const std::vector<Var>& free) {
  return extreme(simplify(expr), free, true);
}

Expr Analyzer::extreme(const Expr& expr, const std::vector<Var>& free, bool upper) {
  const auto is_free = [&](const VarNode* v) {
    return std::any_of(free.begin(), free.end(), [&](const Var& f) { return f.get() == v; });
  };
  if (!uses_var(expr, is_free)) return expr;
  if (const auto* var = expr.as<VarNode>()) {
    const Range& range = ranges_.at(var);
    // The range may move with other free variables.
    return extreme(simplify(upper ? range.min + range.extent - 1 : range.min), free, upper);
  }
  const auto* op = expr.as<Binary>();
  if (op == nullptr) return {};
  const auto both = [&](const Expr& a, const Expr& b) { return a.defined() && b.defined() ? make_binary(op->op, a, b) : Expr(); };
  switch (op->op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub: {
      const Linear sum = Linear::of(expr);
      Expr total = make_int(expr.dtype(), sum.constant);
      for (const auto& [atom, factor] : sum.terms) {
        const Expr bound = extreme(atom, free, (factor > 0) == upper);
        if (!bound.defined()) return {};
        total = total + bound * make_int(expr.dtype(), factor);
      }
      return simplify(total);
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
    case BinaryOp::kMax:
      return both(extreme(op->a, free, upper), extreme(op->b, free, upper));
    default:
      return {};
  }
}

}  // namespace vantage::tir
