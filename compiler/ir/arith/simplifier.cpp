#include "compiler/ir/arith/simplifier.h"

#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "compiler/ir/arith/rules.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"

namespace vantage::ir {

namespace {

// k * (x mod c) + k*c * (x div c) is k * x, and k * (x mod c) + k*c * (x div c mod d) is k * (x mod c*d).
void join_quotients(Linear& sum) {
  for (size_t i = 0; i < sum.terms.size(); ++i) {
    const auto* mod = sum.terms[i].atom.as<Binary>();
    if (mod == nullptr || mod->op != BinaryOp::kFloorMod) continue;
    const int64_t* modulus = as_int(mod->b);
    const int64_t factor = sum.terms[i].factor;
    int64_t wanted = factor;
    if (modulus != nullptr && __builtin_mul_overflow(factor, *modulus, &wanted)) continue;
    Expr quotient = floor_div(mod->a, mod->b);
    if (const Expr simple = rewrite(quotient); simple.defined()) quotient = simple;
    // What the two make together; null when they do not fit.
    const auto joined = [&](const Expr& atom) -> Expr {
      if (modulus == nullptr) {  // the quotient's term is a product with the modulus
        const bool fits = structural_equal(atom, quotient * mod->b) || structural_equal(atom, mod->b * quotient);
        return fits ? mod->a : Expr();
      }
      if (structural_equal(atom, quotient)) return mod->a;
      const auto* next = atom.as<Binary>();
      if (next == nullptr || next->op != BinaryOp::kFloorMod || !structural_equal(next->a, quotient)) return {};
      const int64_t* count = as_int(next->b);
      int64_t both = 0;
      if (count == nullptr || *modulus <= 0 || *count <= 0 || __builtin_mul_overflow(*modulus, *count, &both))
        return {};
      return atom.dtype().holds(both) ? floor_mod(mod->a, make_int(atom.dtype(), both)) : Expr();
    };
    for (size_t j = 0; j < sum.terms.size(); ++j) {
      if (sum.terms[j].factor != wanted || i == j) continue;
      const Expr whole = joined(sum.terms[j].atom);
      if (!whole.defined()) continue;
      sum.terms.erase(sum.terms.begin() + static_cast<ptrdiff_t>(std::max(i, j)));
      sum.terms.erase(sum.terms.begin() + static_cast<ptrdiff_t>(std::min(i, j)));
      sum.add(Linear::of(whole), factor);
      return join_quotients(sum);
    }
  }
}

// Splits a sum into what is divisible by `divisor` and the rest.
void split_divisible(const Linear& sum, int64_t divisor, Linear& divisible, Linear& rest) {
  for (const auto& term : sum.terms) {
    if (term.factor % divisor == 0) {
      divisible.terms.push_back({term.atom, term.factor / divisor});
    } else {
      rest.terms.push_back(term);
    }
  }
  const int64_t remainder = (sum.constant % divisor + divisor) % divisor;
  divisible.constant = (sum.constant - remainder) / divisor;
  rest.constant = remainder;
}

// The same for a divisor that is no literal: products with it.
void split_divisible(const Linear& sum, const Expr& divisor, Linear& divisible, Linear& rest) {
  rest.constant = sum.constant;
  for (const auto& term : sum.terms) {
    const auto* product = term.atom.as<Binary>();
    if (structural_equal(term.atom, divisor)) {
      divisible.constant += term.factor;
    } else if (product != nullptr && product->op == BinaryOp::kMul && structural_equal(product->a, divisor)) {
      divisible.add(product->b, term.factor);
    } else if (product != nullptr && product->op == BinaryOp::kMul && structural_equal(product->b, divisor)) {
      divisible.add(product->a, term.factor);
    } else {
      rest.terms.push_back(term);
    }
  }
}

}  // namespace

Expr Simplifier::visit(const Expr& expr) {
  Expr result = Mutator::visit(expr);
  // Each rule makes the expression smaller or more regular, so few rounds suffice; the bound guards against a cycle.
  for (int round = 0; round < 8; ++round) {
    const Expr rewritten = may_wrap(result) ? Expr() : rewrite(result);
    if (!rewritten.defined()) break;
    result = Mutator::visit(rewritten);
  }
  return result;
}

Expr Simplifier::visit_binary(const Binary& node, const Expr& self) {
  if (node.op == BinaryOp::kAnd || node.op == BinaryOp::kOr) return logic(node, self);
  if (!counts(node.a.dtype()) || may_wrap(self)) return Mutator::visit_binary(node, self);
  switch (node.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul: return sum(self);
    case BinaryOp::kFloorDiv: return quotient(visit(node.a), visit(node.b));
    case BinaryOp::kFloorMod: return remainder(visit(node.a), visit(node.b));
    case BinaryOp::kTruncDiv:
    case BinaryOp::kTruncMod: {
      const Expr a = visit(node.a), b = visit(node.b);
      if (analyzer_.bounds(a).min >= 0 && analyzer_.bounds(b).min > 0) {
        return node.op == BinaryOp::kTruncDiv ? quotient(a, b) : remainder(a, b);
      }
      return make_binary(node.op, a, b);
    }
    case BinaryOp::kMin:
    case BinaryOp::kMax: return minmax(node.op, visit(node.a), visit(node.b));
    default:
      if (is_comparison(node.op)) return comparison(node.op, visit(node.a), visit(node.b));
      return Mutator::visit_binary(node, self);
  }
}

bool Simplifier::may_wrap(const Expr& expr) const {
  const auto* op = data_wraps_ ? expr.as<Binary>() : nullptr;
  return op != nullptr && counts(op->a.dtype()) && analyzer_.is_data(expr);
}

Expr Simplifier::visit_load(const Load& node, const Expr& self) {
  const bool outside = std::exchange(data_wraps_, false);
  const Expr result = Mutator::visit_load(node, self);
  data_wraps_ = outside;
  return result;
}

Expr Simplifier::visit_view(const View& node, const Expr& self) {
  const bool outside = std::exchange(data_wraps_, false);
  const Expr result = Mutator::visit_view(node, self);
  data_wraps_ = outside;
  return result;
}

Expr Simplifier::sum(const Expr& expr) {
  const Linear old = Linear::of(expr);
  if (old.is_atom(expr) && expr.as<Binary>()->op != BinaryOp::kMul) return expr;
  Linear result;
  result.constant = old.constant;
  for (const auto& [atom, factor] : old.terms) {
    const auto* op = atom.as<Binary>();
    // A product of two atoms is itself a product: its factors are visited here, not it again.
    const bool product = op != nullptr && op->op == BinaryOp::kMul;
    result.add(Linear::of(product ? visit(op->a) * visit(op->b) : visit(atom)), factor);
  }
  join_quotients(result);
  return result.exact ? result.to_expr(expr.dtype()) : expr;
}

// Takes a sum apart into g * x + s, where g divides the divisor and 0 <= s < g: x takes the place of the sum. Returns
// the largest such g; 1 where there is none.
int64_t Simplifier::split_small(Linear& sum, int64_t divisor, Linear& small) {
  std::set<int64_t, std::greater<>> candidates;
  for (const auto& term : sum.terms) candidates.insert(std::gcd(term.factor, divisor));
  for (const int64_t g : candidates) {
    if (g == 1) break;
    Linear large, rest;
    for (const auto& term : sum.terms) {
      if (term.factor % g == 0) {
        large.terms.push_back({term.atom, term.factor / g});
      } else {
        rest.terms.push_back(term);
      }
    }
    rest.constant = (sum.constant % g + g) % g;
    large.constant = (sum.constant - rest.constant) / g;
    const Bounds bounds = analyzer_.bounds(rest);
    if (bounds.min < 0 || bounds.max >= g) continue;
    sum = std::move(large);
    small = std::move(rest);
    return g;
  }
  return 1;
}

Expr Simplifier::quotient(const Expr& a, const Expr& b) {
  const DType type = a.dtype();
  const Linear sum = Linear::of(a);
  Linear divisible, rest;
  const int64_t* divisor = as_int(b);
  if (divisor == nullptr) {
    split_divisible(sum, b, divisible, rest);
    const Expr left = rest.to_expr(type);
    if (analyzer_.prove(left >= 0) && analyzer_.prove(left < b)) return divisible.to_expr(type);
    return floor_div(a, b);
  }
  if (*divisor <= 0) return floor_div(a, b);
  split_divisible(sum, *divisor, divisible, rest);
  const Expr left = rest.to_expr(type);
  const Bounds bounds = analyzer_.bounds(left);
  if (bounds.min != -Bounds::kInfinity && bounds.max != Bounds::kInfinity) {
    const Expr first = floor_div(make_int(kInt64, bounds.min), make_int(kInt64, *divisor));
    const Expr last = floor_div(make_int(kInt64, bounds.max), make_int(kInt64, *divisor));
    if (structural_equal(first, last)) {
      divisible.constant += *as_int(first);
      return divisible.to_expr(type);
    }
  }
  // (g*x + s) div (g*c) is x div c.
  Linear small;
  if (const int64_t g = split_small(rest, *divisor, small); g > 1) {
    return visit(floor_div(rest.to_expr(type), make_int(type, *divisor / g)) + divisible.to_expr(type));
  }
  if (rest.is_constant()) return divisible.to_expr(type);
  divisible.add(floor_div(left, b), 1);
  return divisible.to_expr(type);
}

Expr Simplifier::remainder(const Expr& a, const Expr& b) {
  const DType type = a.dtype();
  const Linear sum = Linear::of(a);
  Linear divisible, rest;
  const int64_t* divisor = as_int(b);
  if (divisor == nullptr) {
    split_divisible(sum, b, divisible, rest);
    const Expr left = rest.to_expr(type);
    if (analyzer_.prove(left >= 0) && analyzer_.prove(left < b)) return left;
    return floor_mod(a, b);
  }
  if (*divisor <= 0) return floor_mod(a, b);
  split_divisible(sum, *divisor, divisible, rest);
  const Expr left = rest.to_expr(type);
  const Bounds bounds = analyzer_.bounds(left);
  if (bounds.min >= 0 && bounds.max < *divisor) return left;
  if (bounds.min != -Bounds::kInfinity && bounds.max != Bounds::kInfinity) {
    const Expr first = floor_div(make_int(kInt64, bounds.min), make_int(kInt64, *divisor));
    const Expr last = floor_div(make_int(kInt64, bounds.max), make_int(kInt64, *divisor));
    if (structural_equal(first, last)) return visit(left - make_int(type, *as_int(first) * *divisor));
  }
  // (g*x + s) mod (g*c) is g * (x mod c) + s.
  Linear small;
  if (const int64_t g = split_small(rest, *divisor, small); g > 1) {
    const Expr inner = remainder(rest.to_expr(type), make_int(type, *divisor / g));
    small.add(Linear::of(inner), g);
    return small.to_expr(type);
  }
  return floor_mod(left, b);
}

Expr Simplifier::minmax(BinaryOp op, const Expr& a, const Expr& b) {
  const bool is_min = op == BinaryOp::kMin;
  if (analyzer_.prove(a <= b)) return is_min ? a : b;
  if (analyzer_.prove(b <= a)) return is_min ? b : a;
  return make_binary(op, a, b);
}

Expr Simplifier::comparison(BinaryOp op, const Expr& a, const Expr& b) {
  const Expr self = make_binary(op, a, b);
  if (as_int(self) != nullptr) return self;
  if (analyzer_.prove(self)) return true;
  if (analyzer_.prove(!self)) return false;
  if (op == BinaryOp::kEq || op == BinaryOp::kNe) return self;
  // What stands on both sides disappears, and so does a common factor.
  Linear difference = Linear::of(a);
  const size_t terms = difference.terms.size() + Linear::of(b).terms.size();
  difference.add(Linear::of(b), -1);
  if (!difference.exact) return self;
  const int64_t g = difference.factor_gcd();
  if (difference.terms.size() == terms && g <= 1) return self;
  const bool less = op == BinaryOp::kLt || op == BinaryOp::kLe;
  // less: terms < bound; else: terms > bound, the bound excluded both times.
  int64_t bound = -difference.constant;
  if (op == BinaryOp::kLe) ++bound;
  if (op == BinaryOp::kGe) --bound;
  if (g > 1) {
    const auto floored = [&](int64_t v) { return v / g - (v % g < 0 ? 1 : 0); };
    bound = less ? floored(bound + g - 1) : floored(bound);
  }
  Linear left, right;
  for (const auto& term : difference.terms) {
    const int64_t factor = term.factor / std::max<int64_t>(g, 1);
    if (factor > 0) left.terms.push_back({term.atom, factor});
    if (factor < 0) right.terms.push_back({term.atom, -factor});
  }
  const DType type = a.dtype();
  if (left.is_constant()) {
    left.constant = -bound;
  } else {
    right.constant = bound;
  }
  if (!type.holds(left.constant) || !type.holds(right.constant)) return self;
  return make_binary(less ? BinaryOp::kLt : BinaryOp::kGt, left.to_expr(type), right.to_expr(type));
}

Expr Simplifier::logic(const Binary& node, const Expr& self) {
  const Expr a = visit(node.a);
  if (const int64_t* value = as_int(a)) {
    const bool decides = (*value != 0) == (node.op == BinaryOp::kOr);
    return decides ? a : visit(node.b);
  }
  const size_t facts = analyzer_.assume(analyzer_.exact_part(node.op == BinaryOp::kAnd ? a : !a));
  const Expr b = visit(node.b);
  analyzer_.forget(facts);
  return a.same_as(node.a) && b.same_as(node.b) ? self : make_binary(node.op, a, b);
}

Expr Simplifier::visit_select(const Select& node, const Expr& self) {
  // That of a place is data as any other.
  const bool outside = std::exchange(data_wraps_, of_data_);
  const Expr condition = visit(node.condition);
  data_wraps_ = outside;
  if (const int64_t* value = as_int(condition)) return visit(*value != 0 ? node.if_true : node.if_false);
  size_t facts = analyzer_.assume(analyzer_.exact_part(condition));
  const Expr if_true = visit(node.if_true);
  analyzer_.forget(facts);
  facts = analyzer_.assume(analyzer_.exact_part(!condition));
  const Expr if_false = visit(node.if_false);
  analyzer_.forget(facts);
  const bool changed =
      !condition.same_as(node.condition) || !if_true.same_as(node.if_true) || !if_false.same_as(node.if_false);
  return changed ? if_then_else(condition, if_true, if_false) : self;
}

Expr Simplifier::visit_call(const Call& node, const Expr& self) {
  const Expr result = Mutator::visit_call(node, self);
  const auto* hint = result.as<Call>();
  if (hint->function == kLikely && as_int(hint->arguments[0]) != nullptr) return hint->arguments[0];
  return result;
}

}  // namespace vantage::ir
