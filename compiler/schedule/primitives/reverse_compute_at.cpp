#include <algorithm>

#include "base/error.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/move_block.h"

namespace vantage::schedule {

namespace {

// How a block reads a buffer: per dimension the axis that indexes it, -1 for something else. Empty when it reads it in
// several manners.
std::vector<int> read_axes(const Block& block, const Buffer& buffer) {
  struct Search final : ir::Visitor {
    using Visitor::visit;
    const Block* block = nullptr;
    const ir::BufferNode* buffer = nullptr;
    std::vector<std::vector<int>> found;
    void visit_load(const ir::Load& node) override {
      Visitor::visit_load(node);
      if (node.buffer.get() != buffer) return;
      std::vector<int> axes;
      for (const Expr& index : node.indices) {
        const auto axis = std::find_if(block->axes.begin(), block->axes.end(),
                                       [&](const ir::Axis& a) { return a.var.same_as(index); });
        axes.push_back(axis == block->axes.end() ? -1 : static_cast<int>(axis - block->axes.begin()));
      }
      found.push_back(axes);
    }
  } search;
  search.block = &block;
  search.buffer = buffer.get();
  search.visit(block.body);
  for (const auto& axes : search.found) {
    if (axes != search.found.front()) return {};
  }
  return search.found.empty() ? std::vector<int>() : search.found.front();
}

// Loops down to the target must not carry a reduction that is to be complete inside it.
void check_reductions(const Path& target, const std::vector<Stmt>& producers) {
  std::vector<Stmt> loops = loops_of(target);
  loops.push_back(target.back());
  for (const Stmt& producer : producers) {
    const Block& block = *producer.as<Block>();
    for (const Stmt& loop : loops) {
      const Var& var = loop.as<For>()->var;
      if (!binds(block, var, ir::AxisKind::kReduce)) continue;
      fail("reverse_compute_at: the reduction of the block {} runs over the loop {} and is not complete inside {}",
           block.name, var.name(), loop_at(target).var.name());
    }
  }
}

// The part of a dimension that a block writes in the loop, where a guard of the block says that it ends sooner than its
// loops reach: of a loop of 3 that is split into 2 by 2, the last iteration is left out. `inner`: the loops in between.
ir::Range guarded(ir::Range range, const Block& producer, const Expr& index, const std::vector<Var>& inner,
                  ir::Analyzer& analyzer) {
  const auto is_inner = [&](const ir::VarNode* v) {
    return std::any_of(inner.begin(), inner.end(), [&](const Var& i) { return i.get() == v; });
  };
  const Expr offset = analyzer.simplify(index - range.min);
  for (const Expr& guard : ir::conjuncts(producer.predicate)) {
    const auto* less = guard.as<ir::Binary>();
    if (less == nullptr || less->op != ir::BinaryOp::kLt || less->a.dtype() != offset.dtype()) continue;
    if (!ir::uses_var(less->a, is_inner)) continue;
    // The guard is offset < end.
    const Expr end = analyzer.simplify(less->b - less->a + offset);
    if (ir::uses_var(end, is_inner) || analyzer.prove(end >= range.extent)) continue;
    range.extent = analyzer.simplify(min(range.extent, cast(range.extent.dtype(), end)));
  }
  return range;
}

// The loops between a loop and a block inside it.
std::vector<Var> loops_between(const PrimFunc& function, const Path& target, const Block& block) {
  std::vector<Var> result;
  const std::vector<Stmt> loops = loops_of(path_to_block(function, block.name));
  for (size_t i = loops_of(target).size() + 1; i < loops.size(); ++i) result.push_back(loops[i].as<For>()->var);
  return result;
}

}  // namespace

void reverse_compute_at(PrimFunc& function, const std::string& name, const Var& var) {
  const Path path = path_to_block(function, name);
  const Path target = path_to_loop(function, var);
  const Block& block = block_at(path);
  check_movable(path, target, "reverse_compute_at");
  if (!is_complete(block)) {
    fail("reverse_compute_at: the block {} reduces; only a block whose axes are all spatial can move", name);
  }
  const std::vector<Stmt> order = all_blocks(function);
  const auto position = [&](const Stmt& s) {
    return std::find_if(order.begin(), order.end(), [&](const Stmt& o) { return o.same_as(s); }) - order.begin();
  };
  if (position(path.back()) < position(blocks_below(target.back()).front())) {
    fail("reverse_compute_at: the block {} stands before the loop {}, it must read what is made there", name,
         var.name());
  }
  ir::Analyzer analyzer = analyzer_for(function, target);
  const ir::Regions touched = ir::regions(loop_at(target).body, analyzer);

  AxisRanges ranges(block.axes.size());
  std::vector<Stmt> inside;
  for (const Buffer& buffer : read_by(block)) {
    const std::vector<Stmt> producers = writers(function, path, buffer);
    const bool made_here =
        std::any_of(producers.begin(), producers.end(), [&](const Stmt& p) { return contains(target.back(), p); });
    for (const Stmt& producer : producers) {
      const bool here = contains(target.back(), producer);
      if (here) inside.push_back(producer);
      const bool before = position(producer) < position(blocks_below(target.back()).front());
      if (here || (before && !made_here)) continue;
      fail("reverse_compute_at: the block {} reads {}, which the block {} makes outside of the loop {}", name,
           buffer->name, producer.as<Block>()->name, var.name());
    }
    if (!made_here) continue;
    check_reductions(target, producers);
    const auto made = std::find_if(touched.writes.begin(), touched.writes.end(),
                                   [&](const ir::BufferRegion& region) { return region.buffer == buffer; });
    const std::vector<int> axes = read_axes(block, buffer);
    if (axes.empty()) fail("reverse_compute_at: the block {} reads {} at several places", name, buffer->name);
    const bool one_producer = std::count_if(producers.begin(), producers.end(),
                                            [&](const Stmt& p) { return contains(target.back(), p); }) == 1;
    for (size_t d = 0; d < axes.size(); ++d) {
      const ir::Range whole{ir::make_zero(made->box[d].min.dtype()), buffer->shape[d]};
      const bool all = ir::is_int(made->box[d].min, 0) && analyzer.prove(made->box[d].extent == whole.extent);
      if (axes[d] < 0 && !all) {
        fail("reverse_compute_at: the block {} reads dimension {} of {} at no plain axis", name, d, buffer->name);
      }
      if (axes[d] < 0) continue;
      ir::Range& range = ranges[static_cast<size_t>(axes[d])].emplace(made->box[d]);
      if (!one_producer) continue;
      const Block& producer = *inside.back().as<Block>();
      const int axis = output_axes(producer, buffer, "reverse_compute_at")[d];
      if (axis < 0) continue;
      range = guarded(range, producer, producer.bindings[static_cast<size_t>(axis)],
                      loops_between(function, target, producer), analyzer);
    }
  }
  if (inside.empty()) {
    fail("reverse_compute_at: the block {} reads nothing that is made inside the loop {}", name, var.name());
  }
  std::vector<Var> outer;
  for (const Stmt& loop : loops_of(target)) outer.push_back(loop.as<For>()->var);
  outer.push_back(var);
  // Where none of its producers runs, nothing is there to be read.
  const std::vector<Expr> guards = common_guards(function, target, inside, {}, analyzer);
  analyzer.assume(ir::all_of(guards));
  const Stmt nest = new_nest(block, ranges, outer, guards, Extents::kExact, analyzer);

  // Behind its last producer.
  std::vector<Stmt> body = statements(loop_at(target));
  const auto last = std::find_if(body.rbegin(), body.rend(), [&](const Stmt& stmt) {
    return std::any_of(inside.begin(), inside.end(), [&](const Stmt& p) { return contains(stmt, p); });
  });
  body.insert(last.base(), nest);
  For loop = loop_at(target);
  loop.body = ir::seq(std::move(body));
  PrimFunc result = function;
  replace(result, target.back(), make_stmt(std::move(loop)));
  replace(result, path.back(), {});
  function = std::move(result);
}

}  // namespace vantage::schedule
