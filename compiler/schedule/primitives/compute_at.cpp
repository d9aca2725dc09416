#include <algorithm>

#include "base/error.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/move_block.h"

namespace vantage::schedule {

namespace {

// What must hold of the loops outside for a condition to hold in any iteration of the inner ones; null: nothing known.
Expr weakened(const Expr& condition, const std::vector<Var>& inner, ir::Analyzer& analyzer) {
  const auto is_inner = [&](const ir::VarNode* v) {
    return std::any_of(inner.begin(), inner.end(), [&](const Var& i) { return i.get() == v; });
  };
  if (!ir::uses_var(condition, is_inner)) return condition;
  const auto* op = condition.as<ir::Binary>();
  if (op == nullptr || !op->a.dtype().is_int()) return {};
  const bool less = op->op == ir::BinaryOp::kLt || op->op == ir::BinaryOp::kLe;
  const bool greater = op->op == ir::BinaryOp::kGt || op->op == ir::BinaryOp::kGe;
  if (!less && !greater) return {};
  // If not even the extreme that is easiest to satisfy does, no iteration does.
  const Expr difference = op->a - op->b;
  const Expr easiest = less ? analyzer.lower_bound(difference, inner) : analyzer.upper_bound(difference, inner);
  return easiest.defined() ? analyzer.simplify(make_binary(op->op, easiest, ir::make_zero(easiest.dtype()))) : Expr();
}

// What must hold of the loops around `target` and of itself for any of these blocks inside it to run.
std::vector<Expr> common_guards(const PrimFunc& function, const Path& target, const std::vector<Stmt>& blocks,
                                ir::Analyzer& analyzer) {
  const size_t outside = loops_of(target).size() + 1;
  std::vector<Expr> result;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = *blocks[i].as<Block>();
    std::vector<Var> inner;
    const std::vector<Stmt> loops = loops_of(path_to_block(function, block.name));
    for (size_t l = outside; l < loops.size(); ++l) {
      const For& loop = *loops[l].as<For>();
      analyzer.bind(loop.var, {loop.min, loop.extent});
      inner.push_back(loop.var);
    }
    std::vector<Expr> guards;
    for (const Expr& part : ir::conjuncts(block.predicate)) {
      const Expr guard = weakened(part, inner, analyzer);
      if (guard.defined() && !ir::is_int(guard, 1)) guards.push_back(guard);
    }
    const auto missing = [&](const Expr& guard) {
      return std::none_of(guards.begin(), guards.end(), [&](const Expr& g) { return structural_equal(g, guard); });
    };
    if (i == 0) result = guards;
    result.erase(std::remove_if(result.begin(), result.end(), missing), result.end());
  }
  return result;
}

}  // namespace

void compute_at(PrimFunc& function, const std::string& name, const Var& var) {
  const Path path = path_to_block(function, name);
  const Path target = path_to_loop(function, var);
  const Block& block = block_at(path);
  check_movable(path, target, "compute_at");
  const Buffer output = single_output(block, "compute_at");
  if (function.is_param(output)) {
    fail("compute_at: the block {} makes {}, which the caller wants whole; move what reads it with reverse_compute_at",
         name, output->name);
  }
  if (writers(function, path, output).size() != 1) {
    fail("compute_at: other blocks than {} write {} as well", name, output->name);
  }
  const std::vector<Stmt> consumers = readers(function, path, output);
  if (consumers.empty()) fail("compute_at: nothing reads {}, which the block {} makes", output->name, name);
  for (const Stmt& consumer : consumers) {
    if (!contains(target.back(), consumer)) {
      fail("compute_at: the block {} reads {} outside of the loop {}", consumer.as<Block>()->name, output->name,
           var.name());
    }
  }
  const std::vector<int> axes = output_axes(block, output, "compute_at");

  std::vector<Var> outer;
  for (const Stmt& loop : loops_of(target)) outer.push_back(loop.as<For>()->var);
  outer.push_back(var);

  // What one iteration of the loop reads, where it reads anything.
  ir::Analyzer analyzer = analyzer_for(function, target);
  const std::vector<Expr> guards = common_guards(function, target, consumers, analyzer);
  analyzer.assume(ir::all_of(guards));
  const ir::Regions touched = ir::regions(loop_at(target).body, analyzer, output);
  const auto needed = std::find_if(touched.reads.begin(), touched.reads.end(),
                                   [&](const ir::BufferRegion& region) { return region.buffer == output; });
  VANTAGE_CHECK(needed != touched.reads.end());
  AxisRanges ranges(block.axes.size());
  for (size_t d = 0; d < axes.size(); ++d) {
    if (axes[d] >= 0) ranges[static_cast<size_t>(axes[d])] = needed->box[d];
  }
  const Stmt nest = new_nest(block, ranges, outer, guards, analyzer);

  // Before its first reader.
  std::vector<Stmt> body = statements(loop_at(target));
  const auto first = std::find_if(body.begin(), body.end(), [&](const Stmt& stmt) {
    return std::any_of(consumers.begin(), consumers.end(), [&](const Stmt& c) { return contains(stmt, c); });
  });
  body.insert(first, nest);
  For loop = loop_at(target);
  loop.body = ir::seq(std::move(body));
  PrimFunc result = function;
  replace(result, target.back(), make_stmt(std::move(loop)));
  replace(result, path.back(), {});
  function = std::move(result);
}

}  // namespace vantage::schedule
