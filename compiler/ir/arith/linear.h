// Integer expressions as sums: constant + factor * atom + ..., where an atom is whatever is neither a sum nor a product
// with a literal.
#pragma once

#include <vector>

#include "compiler/ir/expr.h"

namespace vantage::ir {

struct Linear {
  // No factor and no constant is larger, so that a step more or a change of sign cannot overflow.
  static constexpr int64_t kLargest = INT64_MAX / 4;

  struct Term {
    Expr atom;
    int64_t factor;
  };
  std::vector<Term> terms;  // atoms distinct by structure, factors not 0, in order of first occurrence
  int64_t constant = 0;
  // False once a factor or the constant was larger than kLargest: the sum means nothing then.
  bool exact = true;

  // Always exact: an expression with larger literals is an atom as a whole.
  static Linear of(const Expr& expr);
  void add(const Expr& atom, int64_t factor);
  void add(const Linear& other, int64_t factor);
  void add_constant(int64_t value, int64_t factor = 1);
  // Whether it is this expression itself and nothing else.
  bool is_atom(const Expr& expr) const {
    return terms.size() == 1 && terms[0].factor == 1 && constant == 0 && terms[0].atom.same_as(expr);
  }
  bool is_constant() const { return terms.empty(); }
  // The factor of an atom, 0 when it does not occur.
  int64_t factor_of(const Expr& atom) const;
  // The greatest divisor of all factors (not the constant); 0 without terms.
  int64_t factor_gcd() const;
  // What `dtype` cannot hold of a factor is cut off, as arithmetic in that type would.
  Expr to_expr(DType dtype) const;
};

}  // namespace vantage::ir
