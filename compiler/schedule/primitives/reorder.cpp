#include <algorithm>

#include "base/error.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

// From the outermost of the loops to the innermost, with all that stand between.
std::vector<const For*> chain(const PrimFunc& function, const std::vector<Var>& vars) {
  Path deepest;
  for (const Var& var : vars) {
    Path path = path_to_loop(function, var);
    if (path.size() > deepest.size()) deepest = std::move(path);
  }
  size_t first = deepest.size();
  for (const Var& var : vars) {
    const auto found = std::find_if(deepest.begin(), deepest.end(), [&](const Stmt& s) {
      return s.kind() == ir::StmtKind::kFor && s.as<For>()->var.same_as(var);
    });
    if (found == deepest.end()) {
      fail("reorder: the loops {} and {} do not stand inside one another", var.name(), loop_at(deepest).var.name());
    }
    first = std::min(first, static_cast<size_t>(found - deepest.begin()));
  }
  std::vector<const For*> loops;
  for (size_t i = first; i < deepest.size(); ++i) {
    const auto* loop = deepest[i].as<For>();
    if (loop == nullptr) {
      fail("reorder: other statements stand between the loops {} and {}", loops.front()->var.name(),
           loop_at(deepest).var.name());
    }
    loops.push_back(loop);
  }
  return loops;
}

// Whether steps of a recurrence may need what those of other iterations of `loop` made: a load of the block's own
// output has another index than the store where one moves with the loop, or the store is not at a place of its own for
// each iteration.
bool reads_across(const Block& block, const Var& loop) {
  const ir::Store* store = single_store(block);
  if (store == nullptr) return true;
  struct Search final : ir::Visitor {
    using Visitor::visit;
    const ir::Store* store = nullptr;
    std::function<bool(const ir::VarNode*)> moves;
    bool across = false;
    void visit_load(const ir::Load& node) override {
      Visitor::visit_load(node);
      if (node.buffer != store->buffer) return;
      for (size_t d = 0; d < node.indices.size(); ++d) {
        const bool concerned = ir::uses_var(store->indices[d], moves) || ir::uses_var(node.indices[d], moves);
        across = across || (concerned && !ir::structural_equal(store->indices[d], node.indices[d]));
      }
    }
  } search;
  search.store = store;
  search.moves = [&](const ir::VarNode* var) {
    for (size_t i = 0; i < block.axes.size(); ++i) {
      if (block.axes[i].var.get() == var) return ir::uses_var(block.bindings[i], loop);
    }
    return false;
  };
  search.visit(block.body);
  for (const ir::Axis& axis : block.axes) {
    if (!search.moves(axis.var.get())) continue;
    const auto& indices = store->indices;
    search.across = search.across || std::none_of(indices.begin(), indices.end(),
                                                  [&](const Expr& index) { return index.same_as(axis.var); });
  }
  return search.across;
}

// Whether two loops that say together which result is made count the steps of its sum together as well, as the two
// parts do of a loop that was fused of both: then the other order begins some sums with a later step.
bool share_first_step(const Block& block, const Var& a, const Var& b) {
  if (!block.init || !selects(block, a) || !selects(block, b)) return false;
  for (size_t i = 0; i < block.axes.size(); ++i) {
    if (block.axes[i].kind != ir::AxisKind::kReduce) continue;
    if (ir::uses_var(block.bindings[i], a) && ir::uses_var(block.bindings[i], b)) return true;
  }
  return false;
}

// Steps of a recurrence must stay in order with respect to every loop that they reach across, and a sum must begin with
// its first step.
void check_pair(const std::vector<Stmt>& blocks, const For& a, const For& b) {
  for (const Stmt& stmt : blocks) {
    const Block& block = *stmt.as<Block>();
    if (share_first_step(block, a.var, b.var)) {
      fail(
          "reorder: the loops {} and {} count results and steps of the sum of the block {}, which must begin with its "
          "first step; decompose_reduction it first",
          a.var.name(), b.var.name(), block.name);
    }
    for (const auto& [ordered, other] : {std::pair{&a, &b}, {&b, &a}}) {
      if (!binds(block, ordered->var, ir::AxisKind::kOrdered)) continue;
      if (ir::is_int(a.extent, 1) || ir::is_int(b.extent, 1)) continue;
      if (blocks.size() == 1 && !reads_across(block, other->var)) continue;
      fail("reorder: the block {} needs earlier steps of the loop {}, which must keep its order with {}", block.name,
           ordered->var.name(), other->var.name());
    }
  }
}

}  // namespace

void reorder(PrimFunc& function, const std::vector<Var>& vars) {
  for (size_t i = 0; i < vars.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (vars[i].same_as(vars[j])) fail("reorder: the loop {} is given twice", vars[i].name());
    }
  }
  if (vars.size() < 2) fail("reorder: expected at least two loops, got {}", vars.size());
  const std::vector<const For*> old = chain(function, vars);
  const auto listed = [&](const For* loop) {
    return std::any_of(vars.begin(), vars.end(), [&](const Var& v) { return v.same_as(loop->var); });
  };
  std::vector<const For*> order = old;
  size_t next = 0;
  for (const For*& loop : order) {
    if (!listed(loop)) continue;
    const Var& wanted = vars[next++];
    loop = *std::find_if(old.begin(), old.end(), [&](const For* l) { return l->var.same_as(wanted); });
  }
  const std::vector<Stmt> blocks = blocks_below(old.back()->body, true);
  for (size_t outer = 0; outer < order.size(); ++outer) {
    for (size_t inner = outer + 1; inner < order.size(); ++inner) {
      if (ir::uses_var(order[outer]->extent, order[inner]->var) || ir::uses_var(order[outer]->min, order[inner]->var)) {
        fail("reorder: the bounds of the loop {} move with {}, which must stay outside", order[outer]->var.name(),
             order[inner]->var.name());
      }
      const auto position = [&](const For* loop) { return std::find(old.begin(), old.end(), loop); };
      if (position(order[outer]) > position(order[inner])) check_pair(blocks, *order[outer], *order[inner]);
    }
  }
  Stmt body = old.back()->body;
  for (size_t i = order.size(); i-- > 0;) {
    For loop = *order[i];
    loop.body = body;
    body = make_stmt(std::move(loop));
  }
  replace(function, path_to_loop(function, old.front()->var).back(), body);
}

}  // namespace vantage::schedule
