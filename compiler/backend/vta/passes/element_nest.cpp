#include "compiler/backend/vta/passes/element_nest.h"

#include <algorithm>

#include "compiler/ir/arith/linear.h"
#include "compiler/ir/substitute.h"

namespace vantage::vta {

using namespace ir;

LoopNest peel(const Stmt& stmt) {
  LoopNest nest;
  nest.body = stmt;
  while (const auto* loop = nest.body.as<For>()) {
    nest.loops.push_back(*loop);
    nest.body = loop->body;
  }
  return nest;
}

Stmt wrap(const std::vector<For>& loops, Stmt body) {
  for (size_t i = loops.size(); i-- > 0;) {
    For loop = loops[i];
    loop.body = std::move(body);
    body = make_stmt(std::move(loop));
  }
  return body;
}

std::optional<AffineIndex> affine_index(const Expr& index, const std::vector<For>& loops) {
  AffineIndex result;
  Linear sum = Linear::of(index);
  for (const For& loop : loops) {
    if (!is_int(loop.min, 0)) return std::nullopt;
    const int64_t step = sum.factor_of(loop.var);
    result.steps.push_back(step);
    sum.add(loop.var, -step);
  }
  result.base = sum.to_expr(index.dtype());
  const bool moves = uses_var(result.base, [&](const VarNode* var) {
    return std::any_of(loops.begin(), loops.end(), [&](const For& loop) { return loop.var.get() == var; });
  });
  if (moves) return std::nullopt;
  return result;
}

bool take_lane_loops(const Expr& lane_index, int64_t lanes, std::vector<For>& loops) {
  Linear sum = Linear::of(lane_index);
  if (sum.constant != 0) return false;
  // The slowest first: each step is what the faster ones cover.
  std::sort(sum.terms.begin(), sum.terms.end(), [](const auto& a, const auto& b) { return a.factor > b.factor; });
  int64_t covered = lanes;
  for (const auto& term : sum.terms) {
    const auto loop = std::find_if(loops.begin(), loops.end(), [&](const For& l) { return l.var.same_as(term.atom); });
    if (loop == loops.end() || !is_int(loop->min, 0)) return false;
    const int64_t* extent = as_int(loop->extent);
    if (extent == nullptr || *extent * term.factor != covered) return false;
    covered = term.factor;
    loops.erase(loop);
  }
  return covered == 1;
}

}  // namespace vantage::vta
