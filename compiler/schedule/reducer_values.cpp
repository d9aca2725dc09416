#include "compiler/schedule/reducer_values.h"

#include "base/error.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"

namespace vantage::schedule {

namespace {

// Finds what must stand for variables in a pattern to make it a given expression.
class Unify {
 public:
  explicit Unify(ir::VarMap known) : values_(std::move(known)) {}
  const ir::VarMap& values() const { return values_; }

  bool match(const Expr& pattern, const Expr& expr) {
    if (const auto* var = pattern.as<ir::VarNode>()) {
      const auto [found, is_new] = values_.try_emplace(var, expr);
      return is_new ? var->dtype == expr.dtype() : ir::structural_equal(found->second, expr);
    }
    if (pattern.kind() != expr.kind() || pattern.dtype() != expr.dtype()) return false;
    switch (pattern.kind()) {
      case ir::ExprKind::kCast: return match(pattern.as<ir::Cast>()->value, expr.as<ir::Cast>()->value);
      case ir::ExprKind::kNot: return match(pattern.as<ir::Not>()->value, expr.as<ir::Not>()->value);
      case ir::ExprKind::kBinary: {
        const auto *a = pattern.as<ir::Binary>(), *b = expr.as<ir::Binary>();
        return a->op == b->op && match(a->a, b->a) && match(a->b, b->b);
      }
      case ir::ExprKind::kSelect: {
        const auto *a = pattern.as<ir::Select>(), *b = expr.as<ir::Select>();
        return match(a->condition, b->condition) && match(a->if_true, b->if_true) && match(a->if_false, b->if_false);
      }
      case ir::ExprKind::kCall: {
        const auto *a = pattern.as<ir::Call>(), *b = expr.as<ir::Call>();
        if (a->function != b->function || a->arguments.size() != b->arguments.size()) return false;
        for (size_t i = 0; i < a->arguments.size(); ++i) {
          if (!match(a->arguments[i], b->arguments[i])) return false;
        }
        return true;
      }
      default: return ir::structural_equal(pattern, expr);
    }
  }

 private:
  ir::VarMap values_;
};

}  // namespace

ReductionParts reduction_parts(const Block& block) {
  const ir::Reducer& reducer = *block.reducer;
  // Several values are bound by lets before they are stored.
  ir::VarMap lets;
  Stmt body = block.body;
  while (const auto* let = body.as<ir::Let>()) {
    lets[let->var.get()] = let->value;
    body = let->body;
  }
  std::vector<Stmt> stores = {body};
  if (const auto* all = body.as<ir::Seq>()) stores = all->stmts;
  ReductionParts parts;
  ir::VarMap olds;
  bool fits = stores.size() == reducer.result.size();
  for (size_t i = 0; fits && i < stores.size(); ++i) {
    const auto* store = stores[i].as<ir::Store>();
    fits = store != nullptr;
    if (!fits) break;
    parts.buffers.push_back(store->buffer);
    parts.indices = store->indices;
    olds[reducer.lhs[i].get()] = ir::load(store->buffer, store->indices);
  }
  Unify unify(olds);
  for (size_t i = 0; fits && i < stores.size(); ++i) {
    fits = unify.match(reducer.result[i], ir::substitute(stores[i].as<ir::Store>()->value, lets));
  }
  for (size_t i = 0; fits && i < reducer.rhs.size(); ++i) {
    const auto value = unify.values().find(reducer.rhs[i].get());
    fits = value != unify.values().end();
    if (fits) parts.values.push_back(value->second);
  }
  if (!fits) fail("the block {} does not reduce by {}: its body has another form", block.name, reducer.name);
  return parts;
}

}  // namespace vantage::schedule
