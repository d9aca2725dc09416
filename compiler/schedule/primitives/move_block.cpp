#include "compiler/schedule/primitives/move_block.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/primitives/conditions.h"

namespace vantage::schedule {

namespace {

// What must hold of the loops outside for a condition to hold in any iteration of the inner ones; null: nothing known.
Expr weakened(const Expr& condition, const std::vector<Var>& inner, ir::Analyzer& analyzer) {
  const auto is_inner = [&](const ir::VarNode* v) {
    return std::any_of(inner.begin(), inner.end(), [&](const Var& i) { return i.get() == v; });
  };
  if (!ir::uses_var(condition, is_inner)) return condition;
  const auto* op = condition.as<ir::Binary>();
  if (op == nullptr || !op->a.dtype().is_signed()) return {};
  const bool less = op->op == ir::BinaryOp::kLt || op->op == ir::BinaryOp::kLe;
  const bool greater = op->op == ir::BinaryOp::kGt || op->op == ir::BinaryOp::kGe;
  if (!less && !greater) return {};
  // If not even the extreme that is easiest to satisfy does, no iteration does.
  const Expr difference = op->a - op->b;
  const Expr easiest = less ? analyzer.lower_bound(difference, inner) : analyzer.upper_bound(difference, inner);
  return easiest.defined() ? analyzer.simplify(make_binary(op->op, easiest, ir::make_zero(easiest.dtype()))) : Expr();
}

}  // namespace

std::vector<Expr> common_guards(const PrimFunc& function, const Path& target, const std::vector<Stmt>& blocks,
                                const std::vector<Var>& moving, ir::Analyzer& analyzer) {
  const size_t outside = loops_of(target).size() + 1;
  std::vector<Expr> result;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = *blocks[i].as<Block>();
    std::vector<Var> inner = moving;
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

Stmt new_nest(const Block& block, const AxisRanges& ranges, const std::vector<Var>& outer,
              const std::vector<Expr>& guards, const std::vector<Expr>& conditions, Extents extents,
              ir::Analyzer& analyzer) {
  Block result = block;
  result.predicate = ir::all_of(guards);
  std::vector<std::pair<Var, Expr>> loops;
  for (size_t i = 0; i < block.axes.size(); ++i) {
    const ir::Axis& axis = block.axes[i];
    const ir::Range& domain = axis.domain;
    const ir::Range range = ranges[i].value_or(domain);
    Expr extent = analyzer.simplify(range.extent);
    const auto moves = [&](const ir::VarNode* v) {
      return std::any_of(outer.begin(), outer.end(), [&](const Var& o) { return o.get() == v; });
    };
    const Expr exact = extent;
    const bool varies = ir::uses_var(extent, moves);
    if (varies) {
      extent = analyzer.upper_bound(extent, outer);
      // Without a bound that stays, the whole domain with a guard.
      if (!extent.defined()) extent = domain.extent;
    }
    const Var var(fmt::format("ax{}", i), axis.var.dtype());
    analyzer.bind(var, {ir::make_zero(var.dtype()), extent});
    loops.emplace_back(var, extent);
    const Expr value = range.min + var;
    result.bindings[i] = analyzer.simplify(value);
    for (const Expr& inside : {value >= domain.min, value < domain.min + domain.extent}) {
      if (!analyzer.prove(inside)) result.predicate = result.predicate && analyzer.simplify(inside);
    }
    if (varies && extents == Extents::kExact) {
      const size_t facts = analyzer.assume(result.predicate);
      for (const Expr& inside : ir::conjuncts(analyzer.simplify(var < exact))) {
        if (!analyzer.prove(inside)) result.predicate = result.predicate && inside;
      }
      analyzer.forget(facts);
    }
  }
  add_conditions(result, conditions, analyzer);
  Stmt nest = make_stmt(std::move(result));
  for (size_t i = loops.size(); i-- > 0;) nest = ir::loop(loops[i].first, loops[i].second, nest);
  return nest;
}

void check_movable(const Path& block, const Path& loop, std::string_view primitive) {
  const auto scope = [](const Path& path) {
    const Block* found = nullptr;
    for (size_t i = 0; i + 1 < path.size(); ++i) {
      if (const auto* b = path[i].as<Block>()) found = b;
    }
    return found;
  };
  if (scope(block) != scope(loop)) {
    fail("{}: the block {} and the loop {} are not in one scope", primitive, block_at(block).name,
         loop_at(loop).var.name());
  }
  if (contains(loop.back(), block.back())) {
    fail("{}: the block {} is already inside the loop {}", primitive, block_at(block).name, loop_at(loop).var.name());
  }
  for (const ir::Axis& axis : block_at(block).axes) {
    if (axis.kind == ir::AxisKind::kOrdered) {
      fail("{}: the block {} is a step of a recurrence and stays in its loop", primitive, block_at(block).name);
    }
  }
}

std::vector<Stmt> statements(const For& loop) {
  const auto* all = loop.body.as<ir::Seq>();
  return all != nullptr ? all->stmts : std::vector{loop.body};
}

bool contains(const Stmt& stmt, const Stmt& wanted) {
  const auto blocks = blocks_below(stmt, true);
  return std::any_of(blocks.begin(), blocks.end(), [&](const Stmt& block) { return block.same_as(wanted); });
}

}  // namespace vantage::schedule
