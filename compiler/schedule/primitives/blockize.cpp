#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

// The part of a sum that moves with the inner loops, and the rest.
struct Parts {
  ir::Linear inner, outer;
};

Parts take_apart(const Expr& binding, const std::function<bool(const ir::VarNode*)>& is_inner) {
  Parts parts;
  const ir::Linear sum = ir::Linear::of(binding);
  parts.outer.constant = sum.constant;
  for (const auto& term : sum.terms) {
    (ir::uses_var(term.atom, is_inner) ? parts.inner : parts.outer).terms.push_back(term);
  }
  return parts;
}

bool divisible(const ir::Linear& sum, int64_t by) {
  return sum.constant % by == 0 &&
         std::all_of(sum.terms.begin(), sum.terms.end(), [&](const auto& term) { return term.factor % by == 0; });
}

ir::Linear divided(const ir::Linear& sum, int64_t by) {
  ir::Linear result;
  result.constant = sum.constant / by;
  for (const auto& term : sum.terms) result.terms.push_back({term.atom, term.factor / by});
  return result;
}

// Of the loops from the end of the path on, or of a block alone. `what` is what messages call that.
std::string blockize(PrimFunc& function, const Path& path, const std::string& what) {
  std::vector<Stmt> inner_loops;
  Stmt innermost = path.back();
  while (const auto* loop = innermost.as<For>()) {
    inner_loops.push_back(innermost);
    innermost = loop->body;
  }
  const auto* block = innermost.as<Block>();
  if (block == nullptr) fail("blockize: {} holds more than one block", what);
  const std::function<bool(const ir::VarNode*)> is_inner = [&](const ir::VarNode* v) {
    return std::any_of(inner_loops.begin(), inner_loops.end(),
                       [&](const Stmt& loop) { return loop.as<For>()->var.get() == v; });
  };
  if (ir::uses_var(block->predicate, is_inner)) {
    fail("blockize: the block {} does not fill {}: '{}' may not hold; split without a rest", block->name, what,
         ir::to_text(block->predicate));
  }
  ir::Analyzer analyzer = analyzer_for(function, path_to_block(function, block->name));

  Block outer;
  outer.name = unique_block_name(function, block->name + "_o");
  outer.predicate = block->predicate;
  Block inner = *block;
  inner.predicate = true;
  // Notes are about what is written, and that is now the outer block's.
  outer.annotations = block->annotations;
  inner.annotations.clear();
  for (size_t i = 0; i < block->axes.size(); ++i) {
    const ir::Axis& axis = block->axes[i];
    const ir::DType type = axis.var.dtype();
    const Parts parts = take_apart(analyzer.simplify(block->bindings[i]), is_inner);
    const Expr moving = parts.inner.to_expr(type);
    const ir::Bounds bounds = analyzer.bounds(moving);
    if (bounds.min != 0 || bounds.max < 0 || bounds.max == ir::Bounds::kInfinity) {
      fail("blockize: the axis {} of the block {} does not run over a constant range inside {}", axis.var.name(),
           block->name, what);
    }
    const int64_t size = bounds.max + 1;
    const bool all_inside = parts.outer.is_constant() && parts.outer.constant == 0 && !parts.inner.is_constant();
    // So is a reduction around which there are only loops of one iteration, and its initialisation with it.
    const bool all_reduced = block->init && axis.kind == ir::AxisKind::kReduce && ir::is_int(axis.domain.min, 0) &&
                             ir::is_int(axis.domain.extent, size);
    if (all_inside || all_reduced) {
      inner.bindings[i] = moving;
      continue;
    }
    if (size > 1 && !ir::is_int(axis.domain.min, 0)) {
      fail("blockize: the axis {} of the block {} begins at {}, expected 0 for {} to hold {} of it", axis.var.name(),
           block->name, ir::to_text(axis.domain.min), what, size);
    }
    if (!divisible(parts.outer, size)) {
      fail("blockize: the axis {} of the block {} moves by '{}', which is no multiple of the {} inside {}",
           axis.var.name(), block->name, ir::to_text(parts.outer.to_expr(type)), size, what);
    }
    const Var name(axis.var.name() + "_o", type);
    const Expr extent = analyzer.simplify(ceil_div(axis.domain.extent, ir::make_int(type, size)));
    outer.axes.push_back({name, {axis.domain.min, extent}, axis.kind});
    outer.bindings.push_back(divided(parts.outer, size).to_expr(type));
    inner.bindings[i] = name * ir::make_int(type, size) + moving;
  }

  const auto nest = [&](const Block& body, bool without_reduction) {
    Stmt result = make_stmt(Block(body));
    for (size_t i = inner_loops.size(); i-- > 0;) {
      For loop = *inner_loops[i].as<For>();
      if (without_reduction && !selects(*block, loop.var)) continue;
      loop.body = result;
      result = make_stmt(std::move(loop));
    }
    return result;
  };
  // With a part of the reduction outside, so is the initialisation.
  if (block->init && is_reduction(outer)) {
    Block init;
    init.name = unique_block_name(function, block->name + "_init");
    init.body = block->init;
    for (size_t i = 0; i < inner.axes.size(); ++i) {
      if (inner.axes[i].kind == ir::AxisKind::kReduce) continue;
      init.axes.push_back({inner.axes[i].var, inner.axes[i].domain, ir::AxisKind::kSpatial});
      init.bindings.push_back(inner.bindings[i]);
    }
    outer.init = ir::fresh_copy(nest(init, true));
    outer.reducer = block->reducer;
    inner.init = {};
  }
  outer.body = nest(inner, false);
  const std::string name = outer.name;
  replace(function, path.back(), make_stmt(std::move(outer)));
  return name;
}

}  // namespace

std::string blockize(PrimFunc& function, const Var& var) {
  return blockize(function, path_to_loop(function, var), "the loop " + var.name());
}

std::string blockize(PrimFunc& function, const std::string& block) {
  return blockize(function, path_to_block(function, block), "the block " + block);
}

}  // namespace vantage::schedule
