#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/reducer_values.h"

namespace vantage::schedule {

namespace {

// A block that folds `values` into `buffers` at `indices`.
void fill(Block& block, const ir::ReducerPtr& reducer, const std::vector<Buffer>& buffers,
          const std::vector<Expr>& indices, const std::vector<Expr>& values) {
  ir::VarMap operands;
  std::vector<Stmt> inits, stores;
  for (size_t i = 0; i < buffers.size(); ++i) {
    operands[reducer->lhs[i].get()] = ir::load(buffers[i], indices);
    operands[reducer->rhs[i].get()] = values[i];
    inits.push_back(ir::store(buffers[i], indices, reducer->identity[i]));
  }
  std::vector<Var> lets;
  for (size_t i = 0; i < buffers.size(); ++i) {
    lets.emplace_back("v_" + buffers[i]->name, buffers[i]->dtype);
    const Expr value = buffers.size() == 1 ? ir::substitute(reducer->result[i], operands) : Expr(lets[i]);
    stores.push_back(ir::store(buffers[i], indices, value));
  }
  block.body = ir::seq(std::move(stores));
  for (size_t i = buffers.size(); buffers.size() > 1 && i-- > 0;) {
    block.body = make_stmt(ir::Let(lets[i], ir::substitute(reducer->result[i], operands), block.body));
  }
  block.init = ir::seq(std::move(inits));
  block.reducer = reducer;
}

}  // namespace

std::string rfactor(PrimFunc& function, const Var& var, int64_t factor_axis) {
  const Path to_loop = path_to_loop(function, var);
  const std::vector<Stmt> below = blocks_below(to_loop.back());
  if (below.size() != 1) fail("rfactor: expected one block inside the loop {}, found {}", var.name(), below.size());
  const Path path = path_to_block(function, below.front().as<Block>()->name);
  const Block& block = block_at(path);
  require_outermost(path, "rfactor");
  if (!block.init || block.reducer == nullptr || !binds(block, var, ir::AxisKind::kReduce)) {
    fail("rfactor: the loop {} carries no reduction of the block {}", var.name(), block.name);
  }
  if (binds(block, var, ir::AxisKind::kSpatial)) {
    fail("rfactor: the loop {} moves a spatial axis of the block {} as well", var.name(), block.name);
  }
  const std::vector<Stmt> loops = loops_of(path);
  const Path first_loop = path_to_loop(function, loops.front().as<For>()->var);
  for (const Stmt& other : blocks_below(first_loop.back())) {
    if (!other.same_as(path.back())) {
      fail("rfactor: the block {} stands in loops of {}; rfactor before compute_at", other.as<Block>()->name,
           block.name);
    }
  }
  const ReductionParts parts = reduction_parts(block);
  const auto rank = static_cast<int64_t>(parts.indices.size());
  if (factor_axis < -(rank + 1) || factor_axis > rank) {
    fail("rfactor: the axis {} is not one of the {} of the factored {}", factor_axis, rank + 1,
         parts.buffers.front()->name);
  }
  const auto place = static_cast<ptrdiff_t>(factor_axis < 0 ? factor_axis + rank + 1 : factor_axis);
  const Expr extent = loop_at(to_loop).extent;
  const ir::Range factor_domain{loop_at(to_loop).min, extent};

  // The block of partial results: the factored loop becomes a spatial axis, other loops of the reduction an axis each.
  PrimFunc result = function;
  Block partial;
  partial.name = unique_block_name(function, block.name + "_rf");
  ir::VarMap axes, loop_axes;
  const Var factor("v" + var.name(), var.dtype());
  for (size_t i = 0; i < block.axes.size(); ++i) {
    if (block.axes[i].kind != ir::AxisKind::kSpatial) continue;
    const Var axis(block.axes[i].var.name(), block.axes[i].var.dtype());
    axes[block.axes[i].var.get()] = axis;
    partial.axes.push_back({axis, block.axes[i].domain, ir::AxisKind::kSpatial});
    partial.bindings.push_back(block.bindings[i]);
  }
  partial.axes.push_back({factor, factor_domain, ir::AxisKind::kSpatial});
  partial.bindings.push_back(var);
  loop_axes[var.get()] = factor;
  for (const Stmt& stmt : loops) {
    const For& loop = *stmt.as<For>();
    if (loop.var.same_as(var) || !binds(block, loop.var, ir::AxisKind::kReduce)) continue;
    const Var axis("v" + loop.var.name(), loop.var.dtype());
    loop_axes[loop.var.get()] = axis;
    partial.axes.push_back({axis, {loop.min, loop.extent}, ir::AxisKind::kReduce});
    partial.bindings.push_back(loop.var);
  }
  for (size_t i = 0; i < block.axes.size(); ++i) {
    if (block.axes[i].kind == ir::AxisKind::kReduce) {
      axes[block.axes[i].var.get()] = ir::substitute(block.bindings[i], loop_axes);
    }
  }
  const auto with_factor = [&](const std::vector<Expr>& list, const Expr& value) {
    std::vector<Expr> all = list;
    all.insert(all.begin() + place, value);
    return all;
  };
  std::vector<Buffer> partial_buffers;
  for (const Buffer& buffer : parts.buffers) {
    partial_buffers.push_back(ir::make_buffer(unique_buffer_name(result, buffer->name + "_rf"),
                                              with_factor(buffer->shape, extent), buffer->dtype, buffer->scope));
    result.allocations.push_back(partial_buffers.back());
  }
  std::vector<Expr> partial_indices, values;
  for (const Expr& index : parts.indices) partial_indices.push_back(ir::substitute(index, axes));
  // A part of the loop may have nothing to fold; its partial result is then the identity.
  Expr counts = true;
  for (const Expr& condition : ir::conjuncts(block.predicate)) {
    const auto reduces = [&](const ir::VarNode* v) { return loop_axes.count(v) > 0; };
    const auto other = [&](const ir::VarNode* v) {
      return !reduces(v) &&
             std::any_of(loops.begin(), loops.end(), [&](const Stmt& l) { return l.as<For>()->var.get() == v; });
    };
    if (!ir::uses_var(condition, reduces)) {
      partial.predicate = partial.predicate && condition;
    } else if (ir::uses_var(condition, other)) {
      fail("rfactor: '{}' guards loops of the reduction of {} together with others; split without a rest",
           ir::to_text(condition), block.name);
    } else {
      counts = counts && ir::substitute(condition, loop_axes);
    }
  }
  for (size_t i = 0; i < parts.values.size(); ++i) {
    const Expr value = ir::substitute(parts.values[i], axes);
    values.push_back(ir::if_then_else(counts, value, block.reducer->identity[i]));
  }
  fill(partial, block.reducer, partial_buffers, with_factor(partial_indices, factor - factor_domain.min), values);
  if (!is_reduction(partial)) {
    // Nothing is left to fold: the partial results are the values.
    std::vector<Stmt> stores;
    for (size_t i = 0; i < values.size(); ++i) {
      stores.push_back(
          ir::store(partial_buffers[i], with_factor(partial_indices, factor - factor_domain.min), values[i]));
    }
    partial.body = ir::seq(std::move(stores));
    partial.init = {};
    partial.reducer = nullptr;
  }

  // The block that folds them, in loops of its own.
  Block final_block;
  final_block.name = block.name;
  final_block.annotations = block.annotations;
  std::vector<std::pair<Var, ir::Range>> final_loops;
  ir::VarMap final_axes;
  for (const ir::Axis& axis : block.axes) {
    if (axis.kind != ir::AxisKind::kSpatial) continue;
    const Var copy(axis.var.name(), axis.var.dtype());
    final_axes[axis.var.get()] = copy;
    final_loops.emplace_back(Var(fmt::format("ax{}", final_loops.size()), axis.var.dtype()), axis.domain);
    final_block.axes.push_back({copy, axis.domain, ir::AxisKind::kSpatial});
    final_block.bindings.push_back(final_loops.back().first);
  }
  const Var folded("v" + var.name(), var.dtype());
  final_loops.emplace_back(Var(var.name(), var.dtype()), factor_domain);
  final_block.axes.push_back({folded, factor_domain, ir::AxisKind::kReduce});
  final_block.bindings.push_back(final_loops.back().first);
  std::vector<Expr> indices, partials;
  for (const Expr& index : parts.indices) indices.push_back(ir::substitute(index, final_axes));
  for (const Buffer& buffer : partial_buffers) {
    partials.push_back(ir::load(buffer, with_factor(indices, folded - factor_domain.min)));
  }
  fill(final_block, block.reducer, parts.buffers, indices, partials);
  Stmt nest = make_stmt(std::move(final_block));
  for (size_t i = final_loops.size(); i-- > 0;) {
    For loop;
    loop.var = final_loops[i].first;
    loop.min = final_loops[i].second.min;
    loop.extent = final_loops[i].second.extent;
    loop.body = nest;
    nest = make_stmt(std::move(loop));
  }

  const std::string partial_name = partial.name;
  replace(result, path.back(), make_stmt(std::move(partial)));
  const Stmt changed = path_to_loop(result, loop_at(first_loop).var).back();
  replace(result, changed, ir::seq({changed, nest}));
  function = std::move(result);
  return partial_name;
}

}  // namespace vantage::schedule
