#include "compiler/schedule/reducer_values.h"

#include "compiler/tir/structural.h"
#include "compiler/tir/substitute.h"
#include "hw/spec/error.h"

namespace vantage::schedule {

namespace {

// Finds what must stand for variables in a pattern to make it a given expression.
class Unify {
 public:
  explicit Unify(tir::VarMap known) : values_(std::move(known)) {}
  const tir::VarMap& values() const { return values_; }

  bool match(const Expr& pattern, const Expr& expr) {
    if (const auto* var = pattern.as<tir::VarNode>()) {
      const auto [found, is_new] = values_.try_emplace(var, expr);
      return is_new ? var->dtype == expr.dtype() : tir::structural_equal(found->second, expr);
    }
    if (pattern.kind() != expr.kind() || pattern.dtype() != expr.dtype()) return false;
    switch (pattern.kind()) {
      case tir::ExprKind::kCast: return match(pattern.as<tir::Cast>()->value, expr.as<tir::Cast>()->value);
      case tir::ExprKind::kNot: return match(pattern.as<tir::Not>()->value, expr.as<tir::Not>()->value);
      case tir::ExprKind::kBinary: {
        const auto *a = pattern.as<tir::Binary>(), *b = expr.as<tir::Binary>();
        return a->op == b->op && match(a->a, b->a) && match(a->b, b->b);
      }
      case tir::ExprKind::kSelect: {
        const auto *a = pattern.as<tir::Select>(), *b = expr.as<tir::Select>();
        return match(a->condition, b->condition) && match(a->if_true, b->if_true) && match(a->if_false, b->if_false);
      }
      case tir::ExprKind::kCall: {
        const auto *a = pattern.as<tir::Call>(), *b = expr.as<tir::Call>();
        if (a->function != b->function || a->arguments.size() != b->arguments.size()) return false;
        for (size_t i = 0; i < a->arguments.size(); ++i) {
          if (!match(a->arguments[i], b->arguments[i])) return false;
        }
        return true;
      }
      default: return tir::structural_equal(pattern, expr);
    }
  }

 private:
  tir::VarMap values_;
};

}  // namespace

ReductionParts reduction_parts(const Block& block) {
  const tir::Reducer& reducer = *block.reducer;
  // Several values are bound by lets before they are stored.
  tir::VarMap lets;
  Stmt body = block.body;
  while (const auto* let = body.as<tir::Let>()) {
    lets[let->var.get()] = let->value;
    body = let->body;
  }
  std::vector<Stmt> stores = {body};
  if (const auto* all = body.as<tir::Seq>()) stores = all->stmts;
  ReductionParts parts;
  tir::VarMap olds;
  bool fits = stores.size() == reducer.result.size();
  for (size_t i = 0; fits && i < stores.size(); ++i) {
    const auto* store = stores[i].as<tir::Store>();
    fits = store != nullptr;
    if (!fits) break;
    parts.buffers.push_back(store->buffer);
    parts.indices = store->indices;
    olds[reducer.lhs[i].get()] = tir::load(store->buffer, store->indices);
  }
  Unify unify(olds);
  for (size_t i = 0; fits && i < stores.size(); ++i) {
    fits = unify.match(reducer.result[i], tir::substitute(stores[i].as<tir::Store>()->value, lets));
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
