#include "compiler/passes/bound_loops.h"

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::passes {

using namespace ir;

namespace {

Expr without_hint(const Expr& condition) {
  const auto* hint = condition.as<Call>();
  return hint != nullptr && hint->function == kLikely ? hint->arguments[0] : condition;
}

// The first value of `var` for which `condition` no longer holds, given that it holds for all smaller ones; null when
// the condition has another form.
Expr end_of(const Expr& condition, const Var& var) {
  const auto* op = condition.as<Binary>();
  if (op == nullptr || !is_comparison(op->op) || !op->a.dtype().is_signed()) return {};
  const bool less = op->op == BinaryOp::kLt || op->op == BinaryOp::kLe;
  const bool greater = op->op == BinaryOp::kGt || op->op == BinaryOp::kGe;
  if (!less && !greater) return {};
  // room >= 1 is the condition.
  Linear room = Linear::of(less ? op->b : op->a);
  room.add(Linear::of(less ? op->a : op->b), -1);
  if (op->op == BinaryOp::kLe || op->op == BinaryOp::kGe) room.constant += 1;
  const int64_t factor = room.factor_of(var);
  if (factor >= 0) return {};
  room.add(var, -factor);
  const Expr rest = room.to_expr(var.dtype());
  if (uses_var(rest, var)) return {};
  // rest - k * var >= 1, so var < ceil(rest / k).
  return ceil_div(rest, make_int(var.dtype(), -factor));
}

class BoundLoops final : public Mutator {
 public:
  BoundLoops(const PrimFunc& function, const std::function<bool(const For&)>& is_fixed) : is_fixed_(is_fixed) {
    analyzer_.bind_sizes(function);
  }
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt&) override {
    For result = node;
    if (!reads_memory(node.min) && !reads_memory(node.extent)) analyzer_.bind(node.var, {node.min, node.extent});
    result.body = visit(node.body);
    result.extent = at_least_zero(node.extent);
    const auto* guard = result.body.as<If>();
    // The number of these is fixed: their conditions stay inside.
    const bool movable =
        node.loop != ForKind::kThread && node.loop != ForKind::kVectorized && node.loop != ForKind::kVirtualThread;
    if (!movable || guard == nullptr || guard->otherwise) return make_stmt(std::move(result));
    const std::vector<Expr> conditions = conjuncts(without_hint(guard->condition));
    std::vector<Expr> outside, inside;
    Expr end = node.min + node.extent;
    const bool is_fixed = is_fixed_(node);
    for (const Expr& condition : conditions) {
      const Expr limit = end_of(condition, node.var);
      if (reads_memory(condition)) {
        inside.push_back(condition);
      } else if (!uses_var(condition, node.var)) {
        outside.push_back(condition);
      } else if (limit.defined() && !(is_fixed && as_int(analyzer_.simplify(limit - node.min)) == nullptr)) {
        end = min(end, limit);
      } else {
        inside.push_back(condition);
      }
    }
    if (inside.size() == conditions.size()) return make_stmt(std::move(result));
    result.body = inside.empty() ? guard->then : make_stmt(If(call(kLikely, {all_of(inside)}), guard->then, {}));
    // The loop runs only where what moves out of it holds.
    const size_t facts = analyzer_.assume(all_of(outside));
    result.extent = at_least_zero(analyzer_.simplify(end - node.min));
    analyzer_.forget(facts);
    const Stmt loop = make_stmt(std::move(result));
    return outside.empty() ? loop : make_stmt(If(call(kLikely, {all_of(outside)}), loop, {}));
  }

  Stmt visit_seq(const Seq& node, const Stmt&) override {
    std::vector<Stmt> stmts;
    for (const Stmt& stmt : node.stmts) {
      const Stmt next = visit(stmt);
      const auto* last = stmts.empty() ? nullptr : stmts.back().as<If>();
      const auto* guard = next.as<If>();
      const bool together = last != nullptr && guard != nullptr && !last->otherwise && !guard->otherwise &&
                            structural_equal(last->condition, guard->condition) && !reads_memory(guard->condition);
      if (together) {
        stmts.back() = make_stmt(If(guard->condition, seq({last->then, guard->then}), {}));
      } else {
        stmts.push_back(next);
      }
    }
    return seq(std::move(stmts));
  }

 private:
  // Fewer than no iterations are none; passes behind this one count on it.
  Expr at_least_zero(const Expr& extent) {
    const Expr zero = make_zero(extent.dtype());
    return analyzer_.prove(extent >= zero) ? extent : analyzer_.simplify(max(extent, zero));
  }

  const std::function<bool(const For&)>& is_fixed_;
  Analyzer analyzer_;
};

}  // namespace

PrimFunc bound_loops(PrimFunc function) {
  return bound_loops_except(std::move(function), [](const For&) { return false; });
}

PrimFunc bound_loops_except(PrimFunc function, const std::function<bool(const For&)>& is_fixed) {
  function.body = BoundLoops(function, is_fixed).visit(function.body);
  return function;
}

}  // namespace vantage::passes
