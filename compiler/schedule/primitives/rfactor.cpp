#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/accesses.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/conditions.h"
#include "compiler/schedule/reducer_values.h"

namespace vantage::schedule {

namespace {

// A reduction with one of its loops to be factored out, known to be one that can be.
struct Reduction {
  Path path;                // to its block
  Path first_loop;          // to the outermost of its loops
  std::vector<Stmt> loops;  // all of them, outermost first
  ReductionParts parts;
  Var factored;            // the loop
  ir::Range domain;        // of that loop
  ptrdiff_t position = 0;  // of its dimension among those of the partial results

  const Block& block() const { return block_at(path); }
  // Indices or sizes of a result with those of the factored dimension among them.
  std::vector<Expr> with_factor(std::vector<Expr> list, const Expr& value) const {
    list.insert(list.begin() + position, value);
    return list;
  }
};

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

// The block that folds makes all results from their initial values, in loops of its own behind the others.
void require_partials_of_all(const PrimFunc& function, const Reduction& r) {
  const Block& block = r.block();
  for (const Access& access : accesses(r.first_loop.back())) {
    if (access.stmt.same_as(r.path.back())) continue;
    fail("rfactor: {} stands in loops of the block {}", described(access), block.name);
  }
  const auto only_where = [&](const Expr& condition) {
    fail("rfactor: the block {} makes results only where '{}'", block.name, ir::to_text(condition));
  };
  for (size_t i = r.first_loop.size(); i < r.path.size(); ++i) {
    if (const auto* choice = r.path[i].as<ir::If>()) only_where(choice->condition);
  }
  const size_t around = r.first_loop.size() - 1;
  if (const std::string used = used_of(block.init, r.path, around); !used.empty()) {
    fail("rfactor: the initial values of the block {} use {}, which is there inside its loops only", block.name, used);
  }
  const std::vector<Expr> conditions = conditions_on_axes(function, r.path, around, Concern::kAllAxes, "rfactor");
  ir::Analyzer analyzer = analyzer_for(function, r.path);
  const std::vector<Expr> first = at_first_step(block, conditions, analyzer);
  if (!first.empty()) only_where(first.front());
  for (const Expr& condition : conditions) {
    const bool of_steps = std::any_of(block.axes.begin(), block.axes.end(), [&](const ir::Axis& axis) {
      return axis.kind == ir::AxisKind::kReduce && ir::uses_var(condition, axis.var);
    });
    if (!of_steps) only_where(condition);
  }
}

// The block in the loop and what rfactor needs to know of it. Throws Error for what it cannot factor.
Reduction reduction_in(const PrimFunc& function, const Var& var, int64_t factor_axis) {
  const Path to_loop = path_to_loop(function, var);
  const std::vector<Stmt> below = blocks_below(to_loop.back());
  if (below.size() != 1) fail("rfactor: expected one block inside the loop {}, found {}", var.name(), below.size());
  Reduction r;
  r.factored = var;
  r.domain = {loop_at(to_loop).min, loop_at(to_loop).extent};
  r.path = path_to_block(function, below.front().as<Block>()->name);
  const Block& block = r.block();
  require_outermost(r.path, "rfactor");
  if (!block.init || block.reducer == nullptr || !binds(block, var, ir::AxisKind::kReduce)) {
    fail("rfactor: the loop {} carries no reduction of the block {}", var.name(), block.name);
  }
  // The partial results of all steps would be made before the first step is folded, of which the second needs the
  // result
  if (std::any_of(block.axes.begin(), block.axes.end(),
                  [](const ir::Axis& axis) { return axis.kind == ir::AxisKind::kOrdered; })) {
    fail("rfactor: the block {} makes the steps of a recurrence, and each needs the earlier ones whole", block.name);
  }
  if (binds(block, var, ir::AxisKind::kSpatial)) {
    fail("rfactor: the loop {} moves a spatial axis of the block {} as well", var.name(), block.name);
  }
  r.loops = loops_of(r.path);
  r.first_loop = path_to_loop(function, r.loops.front().as<For>()->var);
  for (const Stmt& other : blocks_below(r.first_loop.back())) {
    if (!other.same_as(r.path.back())) {
      fail("rfactor: the block {} stands in loops of {}; rfactor before compute_at", other.as<Block>()->name,
           block.name);
    }
  }
  for (const Stmt& loop : r.loops) {
    for (const Stmt& other : r.loops) {
      const Var& moving = other.as<For>()->var;
      if (!binds(block, loop.as<For>()->var, ir::AxisKind::kReduce)) continue;
      if (!ir::uses_var(loop.as<For>()->extent, moving) && !ir::uses_var(loop.as<For>()->min, moving)) continue;
      fail("rfactor: the bounds of the loop {} move with {}", loop.as<For>()->var.name(), moving.name());
    }
  }
  if (ir::reads_memory(r.domain.min) || ir::reads_memory(r.domain.extent)) {
    fail("rfactor: the loop {} has '{}' iterations, a number that is not known beforehand", var.name(),
         ir::to_text(r.domain.extent));
  }
  require_partials_of_all(function, r);
  r.parts = reduction_parts(block);
  const auto rank = static_cast<int64_t>(r.parts.indices.size());
  if (factor_axis < -(rank + 1) || factor_axis > rank) {
    fail("rfactor: the axis {} is not one of the {} of the factored {}", factor_axis, rank + 1,
         r.parts.buffers.front()->name);
  }
  r.position = static_cast<ptrdiff_t>(factor_axis < 0 ? factor_axis + rank + 1 : factor_axis);
  return r;
}

// A buffer of partial results for each of the reduction, allocated by the function.
std::vector<Buffer> allocate_partials(PrimFunc& function, const Reduction& r) {
  std::vector<Buffer> buffers;
  for (const Buffer& buffer : r.parts.buffers) {
    buffers.push_back(ir::make_buffer(unique_buffer_name(function, buffer->name + "_rf"),
                                      r.with_factor(buffer->shape, r.domain.extent), buffer->dtype, buffer->scope));
    function.allocations.push_back(buffers.back());
  }
  return buffers;
}

// How the block of partial results counts: the factored loop becomes a spatial axis, other loops of the reduction an
// axis each.
struct PartialAxes {
  Var factor;
  ir::VarMap of_axes;   // by the axes of the reduction's block
  ir::VarMap of_loops;  // by the loops of the reduction
};

// Gives the block its axes and bindings.
PartialAxes add_partial_axes(Block& partial, const Reduction& r) {
  const Block& block = r.block();
  PartialAxes axes;
  axes.factor = Var("v" + r.factored.name(), r.factored.dtype());
  for (size_t i = 0; i < block.axes.size(); ++i) {
    if (block.axes[i].kind != ir::AxisKind::kSpatial) continue;
    const Var axis(block.axes[i].var.name(), block.axes[i].var.dtype());
    axes.of_axes[block.axes[i].var.get()] = axis;
    partial.axes.push_back({axis, block.axes[i].domain, ir::AxisKind::kSpatial});
    partial.bindings.push_back(block.bindings[i]);
  }
  partial.axes.push_back({axes.factor, r.domain, ir::AxisKind::kSpatial});
  partial.bindings.push_back(r.factored);
  axes.of_loops[r.factored.get()] = axes.factor;
  for (const Stmt& stmt : r.loops) {
    const For& loop = *stmt.as<For>();
    if (loop.var.same_as(r.factored) || !binds(block, loop.var, ir::AxisKind::kReduce)) continue;
    const Var axis("v" + loop.var.name(), loop.var.dtype());
    axes.of_loops[loop.var.get()] = axis;
    partial.axes.push_back({axis, {loop.min, loop.extent}, ir::AxisKind::kReduce});
    partial.bindings.push_back(loop.var);
  }
  for (size_t i = 0; i < block.axes.size(); ++i) {
    if (block.axes[i].kind == ir::AxisKind::kReduce) {
      axes.of_axes[block.axes[i].var.get()] = ir::substitute(block.bindings[i], axes.of_loops);
    }
  }
  return axes;
}

// Takes the predicate of the reduction's block apart. What concerns the other loops guards the block of partial results
// as before; what concerns the reduction says which values count, and is given back: a part of the loop may have
// nothing to fold, and its partial result is then the identity.
Expr split_predicate(Block& partial, const Reduction& r, const PartialAxes& axes) {
  Expr counts = true;
  for (const Expr& condition : ir::conjuncts(r.block().predicate)) {
    const auto reduces = [&](const ir::VarNode* v) { return axes.of_loops.count(v) > 0; };
    const auto other = [&](const ir::VarNode* v) {
      return !reduces(v) &&
             std::any_of(r.loops.begin(), r.loops.end(), [&](const Stmt& l) { return l.as<For>()->var.get() == v; });
    };
    if (!ir::uses_var(condition, reduces)) {
      partial.predicate = partial.predicate && condition;
    } else if (ir::uses_var(condition, other)) {
      fail("rfactor: '{}' guards loops of the reduction of {} together with others; split without a rest",
           ir::to_text(condition), r.block().name);
    } else {
      counts = counts && ir::substitute(condition, axes.of_loops);
    }
  }
  return counts;
}

// The block that stands in the place of the reduction's and makes the partial results.
Block partial_block(const std::string& name, const Reduction& r, const std::vector<Buffer>& buffers) {
  Block partial;
  partial.name = name;
  const PartialAxes axes = add_partial_axes(partial, r);
  const Expr counts = split_predicate(partial, r, axes);
  std::vector<Expr> indices, values;
  for (const Expr& index : r.parts.indices) indices.push_back(ir::substitute(index, axes.of_axes));
  indices = r.with_factor(std::move(indices), axes.factor - r.domain.min);
  const ir::ReducerPtr& reducer = r.block().reducer;
  for (size_t i = 0; i < r.parts.values.size(); ++i) {
    const Expr value = ir::substitute(r.parts.values[i], axes.of_axes);
    values.push_back(ir::if_then_else(counts, value, reducer->identity[i]));
  }
  fill(partial, reducer, buffers, indices, values);
  if (!is_reduction(partial)) {
    // Nothing is left to fold: the partial results are the values.
    std::vector<Stmt> stores;
    for (size_t i = 0; i < values.size(); ++i) stores.push_back(ir::store(buffers[i], indices, values[i]));
    partial.body = ir::seq(std::move(stores));
    partial.init = {};
    partial.reducer = nullptr;
  }
  return partial;
}

// The block that folds the partial results, in loops of its own.
Stmt final_nest(const Reduction& r, const std::vector<Buffer>& partials) {
  const Block& block = r.block();
  Block folding;
  folding.name = block.name;
  folding.annotations = block.annotations;
  std::vector<std::pair<Var, ir::Range>> loops;
  ir::VarMap axes;
  for (const ir::Axis& axis : block.axes) {
    if (axis.kind != ir::AxisKind::kSpatial) continue;
    const Var copy(axis.var.name(), axis.var.dtype());
    axes[axis.var.get()] = copy;
    loops.emplace_back(Var(fmt::format("ax{}", loops.size()), axis.var.dtype()), axis.domain);
    folding.axes.push_back({copy, axis.domain, ir::AxisKind::kSpatial});
    folding.bindings.push_back(loops.back().first);
  }
  const Var folded("v" + r.factored.name(), r.factored.dtype());
  loops.emplace_back(Var(r.factored.name(), r.factored.dtype()), r.domain);
  folding.axes.push_back({folded, r.domain, ir::AxisKind::kReduce});
  folding.bindings.push_back(loops.back().first);
  std::vector<Expr> indices, values;
  for (const Expr& index : r.parts.indices) indices.push_back(ir::substitute(index, axes));
  for (const Buffer& buffer : partials) {
    values.push_back(ir::load(buffer, r.with_factor(indices, folded - r.domain.min)));
  }
  fill(folding, block.reducer, r.parts.buffers, indices, values);
  folding.init = ir::substitute(block.init, axes);  // which need not be the identity
  Stmt nest = make_stmt(std::move(folding));
  for (size_t i = loops.size(); i-- > 0;) {
    For loop;
    loop.var = loops[i].first;
    loop.min = loops[i].second.min;
    loop.extent = loops[i].second.extent;
    loop.body = nest;
    nest = make_stmt(std::move(loop));
  }
  return nest;
}

}  // namespace

std::string rfactor(PrimFunc& function, const Var& var, int64_t factor_axis) {
  const Reduction reduction = reduction_in(function, var, factor_axis);
  const std::string name = unique_block_name(function, reduction.block().name + "_rf");
  PrimFunc result = function;
  const std::vector<Buffer> partials = allocate_partials(result, reduction);
  replace(result, reduction.path.back(), make_stmt(partial_block(name, reduction, partials)));
  const Stmt changed = path_to_loop(result, loop_at(reduction.first_loop).var).back();
  replace(result, changed, ir::seq({changed, final_nest(reduction, partials)}));
  function = std::move(result);
  return name;
}

}  // namespace vantage::schedule
