// Integer expressions as sums: constant + factor * atom + ..., where an atom is whatever is neither a sum nor a product
// with a literal.
#pragma once

#include <vector>

#include "compiler/tir/expr.h"

namespace vantage::tir {

struct Linear {
  struct Term {
    Expr atom;
    int64_t factor;
  };
  std::vector<Term> terms;  // atoms distinct by structure, factors not 0, in order of first occurrence
  int64_t constant = 0;

  static Linear of(const Expr& expr);
  void add(const Expr& atom, int64_t factor);
  void add(const Linear& other, int64_t factor);
  bool is_constant() const { return terms.empty(); }
  // The factor of an atom, 0 when it does not occur.
  int64_t factor_of(const Expr& atom) const;
  // The greatest divisor of all factors (not the constant); 0 without terms.
  int64_t factor_gcd() const;
  Expr to_expr(DType dtype) const;
};

}  // namespace vantage::tir
