#include "compiler/ir/arith/analyzer.h"

#include "compiler/ir/arith/simplifier.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"

namespace vantage::ir {

void Analyzer::bind(const Var& var, const Range& given) {
  const Range range{adapt_literal(given.min, var.dtype()), adapt_literal(given.extent, var.dtype())};
  const int64_t *min = as_int(range.min), *extent = as_int(range.extent);
  if (min != nullptr && *min == 0 && extent != nullptr && *extent > 0) {  // of most loops
    constant_[var.get()] = {0, *extent - 1};
  } else {
    const Bounds first = bounds(range.min), last = bounds(range.min + range.extent - 1);
    constant_[var.get()] = {first.min, last.max};
  }
  ranges_[var.get()] = {range, bound_++};
}

void Analyzer::bind(const Var& var, const Bounds& bounds) {
  constant_[var.get()] = bounds;
  ranges_.erase(var.get());
}

void Analyzer::bind_sizes(const PrimFunc& function) {
  for (const Buffer& buffer : function.buffers()) {
    for (const Expr& size : buffer->shape) {
      if (const Var var = Var::of(size); var.defined()) bind(var, Bounds{1, Bounds::kInfinity});
    }
  }
}

Expr Analyzer::simplify(const Expr& expr) {
  return simplify(expr, false);
}

bool Analyzer::is_data(const Expr& expr) const {
  return reads_memory(expr) || (!data_.empty() && uses_var(expr, [&](const VarNode* v) { return data_.contains(v); }));
}

Expr Analyzer::exact_part(const Expr& condition) const {
  const auto is_exact = [&](const Expr& side) {
    return Var::of(side).defined() || side.as<Load>() != nullptr || !is_data(side);
  };
  std::vector<Expr> parts = conjuncts(condition);
  std::erase_if(parts, [&](const Expr& part) {
    const auto* op = part.as<Binary>();
    return op == nullptr ? !is_exact(part) : !is_exact(op->a) || !is_exact(op->b);
  });
  return all_of(parts);
}

Expr Analyzer::simplify_data(const Expr& expr) {
  return simplify(expr, true);
}

Expr Analyzer::simplify(const Expr& expr, bool data_wraps) {
  if (expr.kind() == ExprKind::kIntImm || expr.kind() == ExprKind::kVar) return expr;
  // What became simpler inside may let what is around it become simpler; two or three rounds are usual.
  Expr result = expr;
  for (int round = 0; round < 7; ++round) {
    const Expr again = Simplifier(*this, data_wraps).visit(result);
    if (structural_equal(again, result)) break;
    result = again;
  }
  return result;
}

}  // namespace vantage::ir
