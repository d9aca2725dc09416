#include "compiler/ops/cuda/operand_layout.h"

#include <algorithm>

#include "base/math.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/arith/linear.h"
#include "compiler/ir/substitute.h"

namespace vantage::ops {

using namespace ir;

OperandLayout operand_layout(const ProductForm& form, size_t side, const Block& block) {
  const ProductForm::Side& own_side = form.sides[side];
  OperandLayout result;
  for (size_t d = 0; d < own_side.indices.size(); ++d) {
    const bool own = std::ranges::any_of(own_side.axes, [&](const ProductForm::Axis& axis) {
      return uses_var(own_side.indices[d], block.axes[axis.number].var);
    });
    (own ? result.own : result.others).push_back(d);
    result.moved = result.moved || (!own && !result.own.empty());
  }
  result.ends_in_sum = result.moved && result.others.size() == 1 &&
                       uses_var(own_side.indices.back(), block.axes[form.longest().number].var);
  return result;
}

bool lie_side_by_side(const Block& block, const Load& load, const Expr& condition, int64_t lanes) {
  Analyzer analyzer;
  for (const Axis& axis : block.axes) analyzer.bind(axis.var, axis.domain);
  const Axis& last = block.axes.back();
  const Var word("word", last.var.dtype()), lane("lane", last.var.dtype());
  analyzer.bind(word, {0, ceil_div(last.domain.extent, lanes)});
  analyzer.bind(lane, {0, Expr(lanes)});
  const VarMap parts = {{last.var.get(), word * lanes + lane}};
  Expr offset = 0;
  const std::vector<Expr> strides = load.buffer->all_strides();
  for (size_t d = 0; d < strides.size(); ++d) offset = offset + substitute(load.indices[d], parts) * strides[d];
  Linear sum = Linear::of(analyzer.simplify(offset));
  if (!sum.exact || sum.factor_of(lane) != 1) return false;
  sum.add(lane, -1);
  const auto moves = [&](const Linear::Term& term) { return term.factor % lanes != 0 || uses_var(term.atom, lane); };
  return sum.constant % lanes == 0 && std::ranges::none_of(sum.terms, moves) &&
         !uses_var(analyzer.simplify(substitute(condition, parts)), lane);
}

}  // namespace vantage::ops
