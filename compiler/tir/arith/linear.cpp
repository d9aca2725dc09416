#include "compiler/tir/arith/linear.h"

#include <numeric>

#include "compiler/tir/structural.h"

namespace vantage::tir {

namespace {

void gather(const Expr& expr, int64_t factor, Linear& sum) {
  if (const int64_t* value = as_int(expr)) {
    sum.constant += factor * *value;
    return;
  }
  if (const auto* op = expr.as<Binary>()) {
    if (op->op == BinaryOp::kAdd || op->op == BinaryOp::kSub) {
      gather(op->a, factor, sum);
      return gather(op->b, op->op == BinaryOp::kAdd ? factor : -factor, sum);
    }
    if (op->op == BinaryOp::kMul) {
      if (const int64_t* value = as_int(op->b)) return gather(op->a, factor * *value, sum);
      if (const int64_t* value = as_int(op->a)) return gather(op->b, factor * *value, sum);
      // A product distributes over the terms of a sum, so that (n + 1) * m and n * m + m are one.
      const Linear a = Linear::of(op->a), b = Linear::of(op->b);
      if (a.terms.size() > 1 || b.terms.size() > 1 || a.constant != 0 || b.constant != 0) {
        for (const auto& s : a.terms) {
          for (const auto& t : b.terms) gather(s.atom * t.atom, factor * s.factor * t.factor, sum);
          gather(s.atom, factor * s.factor * b.constant, sum);
        }
        for (const auto& t : b.terms) gather(t.atom, factor * t.factor * a.constant, sum);
        sum.constant += factor * a.constant * b.constant;
        return;
      }
    }
  }
  sum.add(expr, factor);
}

}  // namespace

Linear Linear::of(const Expr& expr) {
  Linear sum;
  gather(expr, 1, sum);
  return sum;
}

void Linear::add(const Expr& atom, int64_t factor) {
  if (factor == 0) return;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!structural_equal(terms[i].atom, atom)) continue;
    terms[i].factor += factor;
    if (terms[i].factor == 0) terms.erase(terms.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
  terms.push_back({atom, factor});
}

void Linear::add(const Linear& other, int64_t factor) {
  for (const Term& term : other.terms) add(term.atom, term.factor * factor);
  constant += other.constant * factor;
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
  const auto append = [&](const Expr& value, int64_t factor) {
    const int64_t magnitude = factor < 0 ? -factor : factor;
    const Expr part = magnitude == 1 ? value : value * make_int(dtype, magnitude);
    if (!sum.defined()) {
      sum = factor < 0 ? (magnitude == 1 ? make_zero(dtype) - part : value * make_int(dtype, factor)) : part;
    } else {
      sum = factor < 0 ? sum - part : sum + part;
    }
  };
  for (const Term& term : terms) {
    if (term.factor > 0) append(term.atom, term.factor);
  }
  if (!sum.defined() && constant > 0 && !terms.empty()) sum = make_int(dtype, constant);
  const bool constant_done = sum.defined() && as_int(sum) != nullptr;
  for (const Term& term : terms) {
    if (term.factor < 0) append(term.atom, term.factor);
  }
  if (!sum.defined()) return make_int(dtype, wrap(dtype, constant));
  if (constant_done || constant == 0) return sum;
  return constant > 0 ? sum + make_int(dtype, constant) : sum - make_int(dtype, -constant);
}

}  // namespace vantage::tir
