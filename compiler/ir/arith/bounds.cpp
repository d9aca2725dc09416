// Constant bounds.
#include "compiler/ir/arith/analyzer.h"

#include <algorithm>

namespace vantage::ir {

namespace {

constexpr int64_t kInfinity = Bounds::kInfinity;

bool is_infinite(int64_t v) {
  return v == kInfinity || v == -kInfinity;
}

// A lower bound is never kInfinity and an upper one never -kInfinity: those stand for "none" on their own side only.
Bounds sound(const Bounds& b) {
  return {std::clamp(b.min, -kInfinity, kInfinity - 1), std::clamp(b.max, -kInfinity + 1, kInfinity)};
}

int64_t saturated(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return a < 0 ? -kInfinity : kInfinity;
  return result;
}

Bounds sum(const Bounds& a, const Bounds& b) {
  const bool no_min = a.min == -kInfinity || b.min == -kInfinity;
  const bool no_max = a.max == kInfinity || b.max == kInfinity;
  return sound({no_min ? -kInfinity : saturated(a.min, b.min), no_max ? kInfinity : saturated(a.max, b.max)});
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
  return sound({*std::min_element(std::begin(corners), std::end(corners)),
                *std::max_element(std::begin(corners), std::end(corners))});
}

Bounds hull(const Bounds& a, const Bounds& b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

}  // namespace

Bounds Analyzer::bounds(const Linear& linear) const {
  if (!linear.exact) return {};
  Bounds result{linear.constant, linear.constant};
  for (const auto& term : linear.terms) {
    result = sum(result, product(bounds(term.atom), {term.factor, term.factor}));
  }
  return result;
}

Bounds Analyzer::under_facts(const Expr& expr) const {
  Bounds result = bounds(expr);
  if (facts_.empty()) return result;
  const Linear value = Linear::of(expr);
  for (const Linear& fact : facts_) {  // one that is a constant more or less than the value, or its negative
    for (int64_t sign : {1, -1}) {
      Linear sum = fact;
      sum.add(value, sign);
      if (!sum.exact || !sum.terms.empty()) continue;
      if (sign > 0) {
        result.max = std::min(result.max, sum.constant);
      } else {
        result.min = std::max(result.min, -sum.constant);
      }
    }
  }
  return result;
}

Bounds Analyzer::bounds(const Expr& expr) const {
  // What a narrow type cannot hold is no value of it. For wide ones nothing is known: arithmetic does not overflow.
  const auto of_type = [](DType type) {
    return type.is_bool() || (type.is_int() && !counts(type)) ? Bounds{type.min_int(), type.max_int()} : Bounds{};
  };
  // Narrow arithmetic wraps: bounds that leave the type are none.
  const auto unless_wrapped = [&](const Bounds& b) {
    return counts(expr.dtype()) || (expr.dtype().holds(b.min) && expr.dtype().holds(b.max)) ? b : of_type(expr.dtype());
  };
  switch (expr.kind()) {
    case ExprKind::kIntImm: return sound({expr.as<IntImm>()->value, expr.as<IntImm>()->value});
    case ExprKind::kVar: {
      const auto found = constant_.find(expr.as<VarNode>());
      return found != constant_.end() ? found->second : of_type(expr.dtype());
    }
    case ExprKind::kCast: {
      const Expr& inner = expr.as<Cast>()->value;
      if (expr.dtype().is_int() && (inner.dtype().is_int() || inner.dtype().is_bool())) {
        return unless_wrapped(bounds(inner));
      }
      return of_type(expr.dtype());
    }
    case ExprKind::kSelect: return hull(bounds(expr.as<Select>()->if_true), bounds(expr.as<Select>()->if_false));
    case ExprKind::kBinary: {
      const auto* op = expr.as<Binary>();
      switch (op->op) {
        case BinaryOp::kAdd:
        case BinaryOp::kSub: {
          const Linear linear = Linear::of(expr);
          return linear.is_atom(expr) ? of_type(expr.dtype()) : unless_wrapped(bounds(linear));
        }
        case BinaryOp::kMul: return unless_wrapped(product(bounds(op->a), bounds(op->b)));
        case BinaryOp::kFloorDiv: {
          const Bounds a = under_facts(op->a), b = bounds(op->b);
          if (b.min < 1) return {};
          const int64_t low = a.min >= 0 ? (is_infinite(b.max) ? 0 : divide(a.min, b.max)) : divide(a.min, b.min);
          const int64_t high = a.max >= 0 ? divide(a.max, b.min) : (is_infinite(b.max) ? -1 : divide(a.max, b.max));
          return {low, high};
        }
        case BinaryOp::kFloorMod: {
          const Bounds a = under_facts(op->a), b = bounds(op->b);
          if (b.min < 1) return {};
          if (a.min >= 0 && a.max < b.min) return a;
          return {0, std::min(is_infinite(b.max) ? kInfinity : b.max - 1, a.min >= 0 ? a.max : kInfinity)};
        }
        case BinaryOp::kMin: {
          const Bounds a = bounds(op->a), b = bounds(op->b);
          return {std::min(a.min, b.min), std::min(a.max, b.max)};
        }
        case BinaryOp::kMax: {
          const Bounds a = bounds(op->a), b = bounds(op->b);
          return {std::max(a.min, b.min), std::max(a.max, b.max)};
        }
        default: return of_type(expr.dtype());
      }
    }
    default: return of_type(expr.dtype());
  }
}

}  // namespace vantage::ir
