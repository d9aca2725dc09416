#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/accesses.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/conditions.h"

namespace vantage::schedule {

std::string decompose_reduction(PrimFunc& function, const std::string& name, const Var& var) {
  const Path path = path_to_block(function, name);
  const Block& block = block_at(path);
  if (!block.init) fail("decompose_reduction: the block {} has no initialisation of its own", name);
  const std::vector<Stmt> loops = loops_of(path);
  const auto target =
      std::find_if(loops.begin(), loops.end(), [&](const Stmt& s) { return s.as<For>()->var.same_as(var); });
  if (target == loops.end()) fail("decompose_reduction: the loop {} is not around the block {}", var.name(), name);
  for (auto loop = loops.begin(); loop != target; ++loop) {
    const Var& outer = loop->as<For>()->var;
    if (binds(block, outer, ir::AxisKind::kReduce)) {
      fail("decompose_reduction: the loop {} of the reduction stands outside of {}, so {} would be set back inside it",
           outer.name(), var.name(), name);
    }
  }

  if (keeps_places_in(*(*target).as<For>(), block)) {
    fail(
        "decompose_reduction: rolling_buffer lets iterations of the loop {} write where earlier ones of {} did, so the "
        "initial values cannot be written before it; take a loop inside",
        var.name(), name);
  }

  // What initial values read must be there before the loop.
  const std::vector<Buffer> results = written_by(block);
  for (const Access& access : accesses(*target)) {
    if (access.stmt.same_as(path.back())) continue;
    for (const Buffer& written : access.writes) {
      const bool is_result = std::find(results.begin(), results.end(), written) != results.end();
      if (is_result) {
        fail("decompose_reduction: {} writes {} in the loop {} as well; take a loop inside", described(access),
             written->name, var.name());
      }
      if (!ir::touches(block.init, written)) continue;
      fail(
          "decompose_reduction: the initial values of {} read {}, which {} fills inside the loop {}; take a loop "
          "inside, or fill it before",
          name, written->name, described(access), var.name());
    }
  }
  const auto inside = static_cast<size_t>(
      std::find_if(path.begin(), path.end(), [&](const Stmt& s) { return s.same_as(*target); }) - path.begin());
  for (size_t i = inside; i < path.size(); ++i) {
    if (const auto* choice = path[i].as<ir::If>()) {
      fail("decompose_reduction: the block {} runs only where '{}', and its initial values would be there in any case",
           name, ir::to_text(choice->condition));
    }
  }
  if (const std::string used = used_of(block.init, path, inside); !used.empty()) {
    fail("decompose_reduction: the initial values of {} use {}, which is there inside the loop {} only", name, used,
         var.name());
  }

  // The same loops without those that only the reduction uses.
  Block init;
  init.name = unique_block_name(function, name + "_init");
  init.body = block.init;
  ir::VarMap fresh;
  std::vector<const For*> copied;
  for (auto loop = target; loop != loops.end(); ++loop) {
    const For* node = loop->as<For>();
    if (!selects(block, node->var)) continue;
    copied.push_back(node);
    fresh[node->var.get()] = Var(node->var.name(), node->var.dtype());
  }
  ir::VarMap axes;
  ir::Analyzer analyzer = analyzer_for(function, path);
  for (size_t i = 0; i < block.axes.size(); ++i) {
    const ir::Axis& axis = block.axes[i];
    if (axis.kind == ir::AxisKind::kReduce) continue;
    const Var var_copy(axis.var.name(), axis.var.dtype());
    axes[axis.var.get()] = var_copy;
    init.axes.push_back({var_copy, axis.domain, ir::AxisKind::kSpatial});
    const Expr binding = ir::substitute(block.bindings[i], fresh);
    init.bindings.push_back(binding);
    // Of the predicate, what keeps these axes in their domain.
    for (const Expr& within :
         {block.bindings[i] >= axis.domain.min, block.bindings[i] < axis.domain.min + axis.domain.extent}) {
      if (!analyzer.prove(within)) init.predicate = init.predicate && ir::substitute(within, fresh);
    }
  }
  // And what else guards the loops that are left.
  const auto reduces = [&](const ir::VarNode* v) {
    return std::any_of(loops.begin(), loops.end(), [&](const Stmt& l) {
      const Var& loop_var = l.as<For>()->var;
      return loop_var.get() == v && !selects(block, loop_var) && binds(block, loop_var, ir::AxisKind::kReduce);
    });
  };
  for (const Expr& guard : ir::conjuncts(block.predicate)) {
    if (!ir::is_int(guard, 1) && !ir::uses_var(guard, reduces) && !analyzer.prove(guard)) {
      init.predicate = init.predicate && ir::substitute(guard, fresh);
    }
  }
  // And what keeps the first step from being done, which makes them.
  ir::VarMap at_loops;
  for (size_t i = 0; i < block.axes.size(); ++i) {
    at_loops[block.axes[i].var.get()] = ir::substitute(block.bindings[i], fresh);
  }
  const std::vector<Expr> conditions =
      conditions_on_axes(function, path, inside, Concern::kReduction, "decompose_reduction");
  for (const Expr& condition : at_first_step(block, conditions, analyzer)) {
    init.predicate = init.predicate && ir::substitute(condition, at_loops);
  }
  init.body = ir::substitute(init.body, axes);
  Stmt nest = make_stmt(std::move(init));
  const std::string init_name = nest.as<Block>()->name;
  for (size_t i = copied.size(); i-- > 0;) {
    For loop = *copied[i];
    loop.min = ir::substitute(loop.min, fresh);
    loop.extent = ir::substitute(loop.extent, fresh);
    loop.var = Var::of(fresh.at(copied[i]->var.get()));
    loop.body = nest;
    nest = make_stmt(std::move(loop));
  }

  PrimFunc result = function;
  Block update = block;
  update.init = {};
  replace(result, path.back(), make_stmt(std::move(update)));
  const Stmt changed = path_to_loop(result, var).back();
  replace(result, changed, ir::seq({nest, changed}));
  function = std::move(result);
  return init_name;
}

}  // namespace vantage::schedule
