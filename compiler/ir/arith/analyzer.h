// What can be known about integer expressions: bounds, proofs, simpler forms. Arithmetic is taken not to overflow.
//
// Thread safety: none; give each thread its own.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/ir/arith/linear.h"
#include "compiler/ir/prim_func.h"

namespace vantage::ir {

// Values from `min` to `max`, both included; -kInfinity and kInfinity: no bound.
struct Bounds {
  static constexpr int64_t kInfinity = INT64_MAX;
  int64_t min = -kInfinity;
  int64_t max = kInfinity;
  bool is_point() const { return min == max && max != kInfinity; }
};

// Integers of 32 bits or more are what indices are made of: they are taken not to overflow. Narrower ones are data;
// they wrap, and sums of them are left alone.
constexpr bool counts(DType dtype) {
  return dtype.is_signed() && dtype.bits() >= 32;
}

class Analyzer {
 public:
  // From here on `var` is known to be in [min, min + extent).
  void bind(const Var& var, const Range& range);
  void bind(const Var& var, const Bounds& bounds);
  // Variables in the shapes of a function's parameters are at least 1.
  void bind_sizes(const PrimFunc& function);
  // From here on `condition` is known to hold; conjunctions are taken apart. Returns the number of facts before, for
  // forget().
  size_t assume(const Expr& condition);
  void forget(size_t facts) { facts_.resize(facts); }

  // Constant bounds of an integer expression.
  Bounds bounds(const Expr& expr) const;
  // The same, as tight as a single condition that is assumed makes them.
  Bounds under_facts(const Expr& expr) const;
  // Whether a condition is certain to hold. False means "not known".
  bool prove(const Expr& condition);
  // An expression of the same value under what is known. It is one of places: also what is read of memory does not
  // overflow, as it would be no place in a buffer.
  Expr simplify(const Expr& expr);
  // The same of data: what is computed of memory, or of variables that were, wraps at its width, so only places in it
  // are simplified, and what is no data.
  Expr simplify_data(const Expr& expr);
  // A variable whose value is data.
  void bind_data(const Var& var) { data_.insert(var.get()); }
  bool is_data(const Expr& expr) const;
  // The part of a condition that is so without anything having wrapped: not what is computed of data. A variable of it
  // is compared as it is.
  Expr exact_part(const Expr& condition) const;

  // The smallest and largest value of an expression while the variables in `free` run over their ranges and all others
  // stay fixed: expressions in the others. Null where no such expression is known.
  Expr lower_bound(const Expr& expr, const std::vector<Var>& free);
  Expr upper_bound(const Expr& expr, const std::vector<Var>& free);

 private:
  friend class Simplifier;
  Expr simplify(const Expr& expr, bool data_wraps);
  struct Bound {
    Range range;
    size_t order;  // the later bound, the earlier eliminated
  };
  bool nonnegative(const Linear& sum, int depth, int& steps) const;
  bool nonnegative_without_atom(const Linear& sum, int depth, int& steps) const;
  bool prove_at_least(const Expr& a, const Expr& b, int64_t by) const;
  Bounds bounds(const Linear& sum) const;
  Expr extreme(const Expr& expr, const std::vector<Var>& free, bool upper);
  Expr extreme_of_related(const Linear& sum, DType dtype, const std::vector<Var>& free, bool upper);

  std::unordered_map<const VarNode*, Bound> ranges_;
  std::unordered_map<const VarNode*, Bounds> constant_;
  size_t bound_ = 0;
  std::unordered_set<const VarNode*> data_;
  std::vector<Linear> facts_;  // each at least 0
};

}  // namespace vantage::ir
