#include "compiler/ir/arith/linear.h"

#include <numeric>

#include "compiler/ir/structural.h"

namespace vantage::ir {

namespace {

// 0 when the product is too large, and then the sum is no longer exact.
int64_t product(Linear& sum, int64_t a, int64_t b) {
  int64_t result = 0;
  if (!__builtin_mul_overflow(a, b, &result) && result >= -Linear::kLargest && result <= Linear::kLargest)
    return result;
  sum.exact = false;
  return 0;
}

void gather(const Expr& expr, int64_t factor, Linear& sum) {
  if (const int64_t* value = as_int(expr)) return sum.add_constant(*value, factor);
  if (const auto* op = expr.as<Binary>()) {
    if (op->op == BinaryOp::kAdd || op->op == BinaryOp::kSub) {
      gather(op->a, factor, sum);
      return gather(op->b, op->op == BinaryOp::kAdd ? factor : -factor, sum);
    }
    if (op->op == BinaryOp::kMul) {
      if (const int64_t* value = as_int(op->b)) return gather(op->a, product(sum, factor, *value), sum);
      if (const int64_t* value = as_int(op->a)) return gather(op->b, product(sum, factor, *value), sum);
      // A product distributes over the terms of a sum, so that (n + 1) * m and n * m + m are one.
      const Linear a = Linear::of(op->a), b = Linear::of(op->b);
      if (a.terms.size() > 1 || b.terms.size() > 1 || a.constant != 0 || b.constant != 0) {
        for (const auto& s : a.terms) {
          for (const auto& t : b.terms) {
            gather(s.atom * t.atom, product(sum, factor, product(sum, s.factor, t.factor)), sum);
          }
          gather(s.atom, product(sum, factor, product(sum, s.factor, b.constant)), sum);
        }
        for (const auto& t : b.terms) gather(t.atom, product(sum, factor, product(sum, t.factor, a.constant)), sum);
        return sum.add_constant(product(sum, a.constant, b.constant), factor);
      }
    }
  }
  sum.add(expr, factor);
}

}  // namespace

Linear Linear::of(const Expr& expr) {
  Linear sum;
  gather(expr, 1, sum);
  if (sum.exact) return sum;
  Linear whole;
  whole.terms.push_back({expr, 1});
  return whole;
}

void Linear::add_constant(int64_t value, int64_t factor) {
  if (!exact) return;
  constant += product(*this, value, factor);  // each of the two is at most a quarter of what int64 holds
  exact = exact && constant >= -kLargest && constant <= kLargest;
}

void Linear::add(const Expr& atom, int64_t factor) {
  if (factor == 0 || !exact) return;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!structural_equal(terms[i].atom, atom)) continue;
    terms[i].factor += factor;
    exact = terms[i].factor >= -kLargest && terms[i].factor <= kLargest;
    if (terms[i].factor == 0) terms.erase(terms.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
  if (terms.empty()) terms.reserve(4);  // most have no more
  terms.push_back({atom, factor});
}

void Linear::add(const Linear& other, int64_t factor) {
  exact = exact && other.exact;
  for (const Term& term : other.terms) add(term.atom, product(*this, term.factor, factor));
  add_constant(other.constant, factor);
}

int64_t Linear::factor_of(const Expr& atom) const {
  for (const Term& term : terms) {
    if (structural_equal(term.atom, atom)) return term.factor;
  }
  return 0;
}

int64_t Linear::factor_gcd() const {
  int64_t result = 0;
  for (const Term& term : terms) result = std::gcd(result, term.factor);
  return result;
}

// Positive terms first, so that no expression begins with a minus where it can be helped.
Expr Linear::to_expr(DType dtype) const {
  Expr sum;
  const auto append = [&](const Expr& value, int64_t whole) {
    const int64_t factor = wrap(dtype, whole);
    if (factor < 0 && factor != dtype.min_int()) {  // the smallest has no negative
      const Expr part = value * make_int(dtype, -factor);
      if (sum.defined()) {
        sum = sum - part;
      } else {
        sum = factor == -1 ? make_zero(dtype) - part : value * make_int(dtype, factor);
      }
    } else {
      const Expr part = value * make_int(dtype, factor);
      sum = sum.defined() ? sum + part : part;
    }
  };
  for (const Term& term : terms) {
    if (term.factor > 0) append(term.atom, term.factor);
  }
  int64_t left = constant;
  if (!sum.defined() && left > 0 && dtype.holds(left)) {
    sum = make_int(dtype, left);
    left = 0;
  }
  for (const Term& term : terms) {
    if (term.factor < 0) append(term.atom, term.factor);
  }
  if (!sum.defined()) return make_int(dtype, wrap(dtype, left));
  // A constant beyond the type, where the sum is not, takes two steps.
  if (left > dtype.max_int() && left - dtype.max_int() <= dtype.max_int()) {
    sum = sum + make_int(dtype, dtype.max_int());
    left -= dtype.max_int();
  } else if (left < dtype.min_int() && left - dtype.min_int() >= dtype.min_int()) {
    sum = sum + make_int(dtype, dtype.min_int());
    left -= dtype.min_int();
  }
  left = wrap(dtype, left);
  if (left < 0 && left != dtype.min_int()) return sum - make_int(dtype, -left);
  return sum + make_int(dtype, left);
}

}  // namespace vantage::ir
