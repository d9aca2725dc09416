#include "compiler/schedule/primitives/conditions.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/primitives/coverage.h"

namespace vantage::schedule {

namespace {

class Conditions {
 public:
  Conditions(const PrimFunc& function, const Path& path, size_t around, Concern concern, std::string_view primitive)
      : block_(block_at(path)),
        concern_(concern),
        primitive_(primitive),
        analyzer_(analyzer_for(function, path)),
        inside_(analyzer_) {
    for (size_t i = 0; i + 1 < path.size(); ++i) {
      if (path[i].kind() == ir::StmtKind::kBlock) {
        loops_.clear();
        inner_.clear();
      }
      if (i < around) continue;
      if (const auto* loop = path[i].as<For>()) {
        loops_.push_back(loop);
        inner_.insert(loop->var.get());
      }
      if (const auto* let = path[i].as<ir::Let>()) inner_.insert(let->var.get());
    }
    assume_domains(inside_, block_);
  }

  std::vector<Expr> find() {
    std::vector<bool> inverted;
    for (size_t i = 0; i < block_.axes.size(); ++i) inverted.push_back(invert(i));
    for (const For* loop : loops_) {
      if (on_axes_.count(loop->var.get()) > 0) {
        add(loop->var >= loop->min, true);
        add(loop->var < loop->min + loop->extent, true);
      } else {
        add(loop->extent > 0);
      }
    }
    for (size_t i = 0; i < block_.axes.size(); ++i) {
      if (!inverted[i] && (concern_ == Concern::kAllAxes || block_.axes[i].kind == ir::AxisKind::kReduce)) reach(i);
    }
    for (const Expr& condition : ir::conjuncts(block_.predicate)) add(condition);
    return std::move(result_);
  }

 private:
  bool uses_inner(const Expr& expr) const {
    return ir::uses_var(expr, [&](const ir::VarNode* v) { return inner_.count(v) > 0; });
  }

  // Whether an axis counts a loop by ones, up or down: the loop in terms of the axis.
  bool invert(size_t axis) {
    const Expr binding = analyzer_.simplify(block_.bindings[axis]);
    ir::Linear rest = ir::Linear::of(binding);
    for (const auto& term : ir::Linear::of(binding).terms) {
      const Var var = Var::of(term.atom);
      if (!var.defined() || std::abs(term.factor) != 1 || on_axes_.count(var.get()) > 0) continue;
      const bool is_loop =
          std::any_of(loops_.begin(), loops_.end(), [&](const For* loop) { return loop->var.same_as(var); });
      rest.add(term.atom, -term.factor);
      const Expr others = rest.to_expr(binding.dtype());
      if (!is_loop || uses_inner(others) || var.dtype() != binding.dtype()) {
        rest.add(term.atom, term.factor);
        continue;
      }
      const Expr value = block_.axes[axis].var;
      on_axes_[var.get()] = analyzer_.simplify(term.factor > 0 ? value - others : others - value);
      return true;
    }
    return false;
  }

  // Whether steps of the reduction are left out where a condition does not hold.
  bool concerns(const Expr& condition) const {
    if (concern_ == Concern::kAllAxes) return true;
    for (const For* loop : loops_) {
      if (!ir::uses_var(condition, loop->var)) continue;
      for (size_t i = 0; i < block_.axes.size(); ++i) {
        if (block_.axes[i].kind == ir::AxisKind::kReduce && ir::uses_var(block_.bindings[i], loop->var)) return true;
      }
    }
    return false;
  }

  // `is_bound`: of a loop, which holds wherever the block runs now.
  void add(const Expr& condition, bool is_bound = false) {
    const Expr said = analyzer_.simplify(ir::substitute(condition, on_axes_));
    if (analyzer_.prove(said) || !concerns(condition)) return;
    if (!is_bound && (inside_.prove(condition) || is_guard(condition))) return;
    if (comes_to_all_with(condition)) return;
    if (uses_inner(said)) {
      fail(
          "{}: the block {} runs only where '{}', which is no condition on its axes alone; do it before its loops are "
          "changed",
          primitive_, block_.name, ir::to_text(condition));
    }
    result_.push_back(said);
  }

  // Whether a condition only keeps axes in their domains: where it does not hold, one of them is outside.
  bool is_guard(const Expr& condition) {
    const auto* op = condition.as<ir::Binary>();
    if (op == nullptr || op->op != ir::BinaryOp::kLt || !op->a.dtype().is_signed()) return false;
    const size_t facts = analyzer_.assume(op->a >= op->b);
    bool outside = false;
    for (size_t i = 0; i < block_.axes.size(); ++i) {
      const ir::Range& domain = block_.axes[i].domain;
      outside = outside || analyzer_.prove(block_.bindings[i] >= domain.min + domain.extent);
    }
    analyzer_.forget(facts);
    return outside;
  }

  // Whether the loops that an expression uses, with all that moves with them, bring the block to all values of the axes
  // that they move: a part of a loop may come again where the next part is, and be left out there.
  bool comes_to_all_with(const Expr& expr) {
    Moving moving;
    const auto parts = ir::conjuncts(block_.predicate);
    std::set<const ir::VarNode*> used;
    const auto touches_used = [&](const Expr& e) {
      return ir::uses_var(e, [&](const ir::VarNode* v) { return used.count(v) > 0; });
    };
    const auto take = [&](const Expr& e) {
      for (const For* loop : loops_) {
        if (ir::uses_var(e, loop->var)) used.insert(loop->var.get());
      }
    };
    take(expr);
    for (size_t before = 0; before != used.size();) {
      before = used.size();
      for (const Expr& binding : block_.bindings) {
        if (touches_used(binding)) take(binding);
      }
      for (const Expr& part : parts) {
        if (touches_used(part)) take(part);
      }
      for (const For* loop : loops_) {
        if (used.count(loop->var.get()) > 0) take(loop->min + loop->extent);
      }
    }
    for (const For* loop : loops_) {
      if (used.count(loop->var.get()) > 0) moving.loops.push_back(loop);
    }
    for (size_t i = 0; i < block_.axes.size(); ++i) {
      if (!touches_used(block_.bindings[i])) continue;
      moving.axes.push_back(&block_.axes[i]);
      moving.bindings.push_back(block_.bindings[i]);
    }
    for (const Expr& part : parts) {
      if (touches_used(part)) moving.conditions.push_back(part);
    }
    return !moving.loops.empty() && comes_to_all(moving).value_or(false);
  }

  // The values that an axis takes which counts no loop alone must be all of its domain, or one that is known outside.
  void reach(size_t i) {
    const ir::Axis& axis = block_.axes[i];
    const Expr binding = analyzer_.simplify(ir::substitute(block_.bindings[i], on_axes_));
    if (!uses_inner(binding)) {
      const Expr same = analyzer_.simplify(axis.var == binding);
      if (!analyzer_.prove(same) && !comes_to_all_with(block_.bindings[i])) result_.push_back(same);
      return;
    }
    std::vector<Var> free;
    for (const For* loop : loops_) {
      if (on_axes_.count(loop->var.get()) == 0) free.push_back(loop->var);
    }
    const Expr low = analyzer_.lower_bound(binding, free), high = analyzer_.upper_bound(binding, free);
    // What stands still moves no value past another.
    Expr moving = ir::make_zero(binding.dtype());
    for (const auto& term : ir::Linear::of(binding).terms) {
      if (uses_inner(term.atom)) moving = moving + term.atom * ir::make_int(binding.dtype(), term.factor);
    }
    const bool known = low.defined() && high.defined();
    const bool ends = known && analyzer_.prove(low <= axis.domain.min) &&
                      analyzer_.prove(high >= axis.domain.min + axis.domain.extent - 1);
    if ((known && !ends) || has_gaps(moving, [&](const Var& var) { return extent_of(var); }) ||
        ir::reads_memory(binding)) {
      if (comes_to_all_with(block_.bindings[i])) return;
      fail(
          "{}: the loops around the block {} run over a part of its axis {} only, at '{}', which cannot be said of the "
          "axis alone",
          primitive_, block_.name, axis.var.name(), ir::to_text(block_.bindings[i]));
    }
  }

  const int64_t* extent_of(const Var& var) const {
    const auto loop = std::find_if(loops_.begin(), loops_.end(), [&](const For* l) { return l->var.same_as(var); });
    return loop == loops_.end() ? nullptr : ir::as_int((*loop)->extent);
  }

  const Block& block_;
  const Concern concern_;
  const std::string_view primitive_;
  ir::Analyzer analyzer_;
  ir::Analyzer inside_;  // knows that bindings are in their axes' domains
  std::vector<const For*> loops_;
  std::set<const ir::VarNode*> inner_;  // loops and lets between
  ir::VarMap on_axes_;                  // loops in terms of axes
  std::vector<Expr> result_;
};

}  // namespace

std::vector<Expr> conditions_on_axes(const PrimFunc& function, const Path& path, size_t around, Concern concern,
                                     std::string_view primitive) {
  return Conditions(function, path, around, concern, primitive).find();
}

std::vector<Expr> at_first_step(const Block& block, const std::vector<Expr>& conditions, ir::Analyzer& analyzer) {
  ir::VarMap first;
  for (const ir::Axis& axis : block.axes) {
    if (axis.kind == ir::AxisKind::kReduce) first[axis.var.get()] = axis.domain.min;
  }
  std::vector<Expr> result;
  for (const Expr& condition : conditions) {
    if (!ir::uses_var(condition, [&](const ir::VarNode* v) { return first.count(v) > 0; })) continue;
    const Expr said = analyzer.simplify(ir::substitute(condition, first));
    if (!analyzer.prove(said)) result.push_back(said);
  }
  return result;
}

bool has_gaps(const Expr& sum, const std::function<const int64_t*(const Var&)>& extent_of) {
  std::vector<std::pair<int64_t, int64_t>> digits;  // factor, extent
  for (const auto& term : ir::Linear::of(sum).terms) {
    const Var var = Var::of(term.atom);
    const int64_t* extent = var.defined() ? extent_of(var) : nullptr;
    if (extent == nullptr) return false;
    if (*extent > 1) digits.emplace_back(std::abs(term.factor), *extent);
  }
  std::sort(digits.begin(), digits.end());
  int64_t reached = 1;
  for (const auto& [factor, extent] : digits) {
    if (factor > reached) return true;
    reached += factor * (extent - 1);
  }
  return false;
}

void add_conditions(Block& block, const std::vector<Expr>& conditions, ir::Analyzer& analyzer) {
  ir::VarMap values;
  for (size_t i = 0; i < block.axes.size(); ++i) values[block.axes[i].var.get()] = block.bindings[i];
  for (const Expr& condition : conditions) {
    const Expr said = analyzer.simplify(ir::substitute(condition, values));
    if (!analyzer.prove(said)) block.predicate = block.predicate && said;
  }
}

}  // namespace vantage::schedule
