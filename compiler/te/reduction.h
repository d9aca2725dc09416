// Reductions: folding values over axes. A reduction is no expression; it can only be what a compute returns.
//
//   ReduceAxis k = reduce_axis(128, "k");
//   compute({n, m}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "C");
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "compiler/ir/stmt.h"

namespace vantage::te {

struct ReduceAxis {
  ir::Var var;
  ir::Range domain;
  operator ir::Expr() const { return var; }  // NOLINT(google-explicit-constructor): reads as an index
};

// Runs over [0, extent), or over a range. Throws Error for a name that is no identifier or bounds that are no integers.
ReduceAxis reduce_axis(ir::Expr extent, std::string name);
ReduceAxis reduce_axis(ir::Range domain, std::string name);

struct Reduction {
  ir::ReducerPtr reducer;
  std::vector<ir::Expr> values;  // one per value that the reducer folds
  std::vector<ReduceAxis> axes;
  ir::Expr condition;             // what does not meet it is left out; null: everything counts
  std::vector<ir::Expr> initial;  // one per value: what they begin with; none: with the identity, which changes nothing
};

// The same reduction of one value, of `initial` and all others: a sum that starts from a bias. Throws Error for another
// type, for an initial value that names an axis of the reduction, and for a reduction of several values.
Reduction starting_from(ir::Expr initial, Reduction reduction);

// Over at least one axis; throw Error without.
Reduction sum(ir::Expr value, std::vector<ReduceAxis> axes, ir::Expr condition = {});
Reduction product(ir::Expr value, std::vector<ReduceAxis> axes, ir::Expr condition = {});
Reduction min(ir::Expr value, std::vector<ReduceAxis> axes, ir::Expr condition = {});
Reduction max(ir::Expr value, std::vector<ReduceAxis> axes, ir::Expr condition = {});
// So that max(x, {k}) is a reduction: {k} could be an expression as well.
inline Reduction min(ir::Expr value, std::initializer_list<ReduceAxis> axes, ir::Expr condition = {}) {
  return min(std::move(value), std::vector(axes), std::move(condition));
}
inline Reduction max(ir::Expr value, std::initializer_list<ReduceAxis> axes, ir::Expr condition = {}) {
  return max(std::move(value), std::vector(axes), std::move(condition));
}

// Reductions of one's own, over one value or several that fold together (an index with its maximum).
using Values = std::vector<ir::Expr>;
using Combine = std::function<Values(const Values& lhs, const Values& rhs)>;
using Identity = std::function<Values(const std::vector<ir::DType>& dtypes)>;

// Makes a reduction of `combine`, which must be associative and commutative, and of its identity.
//
//   auto argmax = comm_reducer(combine, identity, "argmax");
//   compute_tuple({m}, [&](Expr i) { return argmax({k, a(i, k)}, {k}); }, "T");
std::function<Reduction(Values values, std::vector<ReduceAxis> axes)> comm_reducer(Combine combine, Identity identity,
                                                                                   std::string name = "reduce");

}  // namespace vantage::te
