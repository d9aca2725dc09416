#include "compiler/passes/simplify.h"

#include <algorithm>

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::passes {

using namespace ir;

namespace {

class Simplify final : public Mutator {
 public:
  explicit Simplify(const PrimFunc& function) { analyzer_.bind_sizes(function); }
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return analyzer_.simplify_data(expr); }

 protected:
  Stmt visit_store(const Store& node, const Stmt& self) override {
    std::vector<Expr> indices;
    for (const Expr& index : node.indices) indices.push_back(analyzer_.simplify(index));
    const Expr value = visit(node.value);
    const auto same = [](const Expr& a, const Expr& b) { return a.same_as(b); };
    const bool is_same = value.same_as(node.value) && std::ranges::equal(indices, node.indices, same);
    return is_same ? self : store(node.buffer, std::move(indices), value);
  }

  Stmt visit_for(const For& node, const Stmt&) override {
    For result = node;
    result.min = visit(node.min);
    result.extent = visit(node.extent);
    const int64_t* extent = as_int(result.extent);
    if (extent != nullptr && *extent <= 0) return {};
    // A loop that stands for a thread, or carries notes, has a meaning beyond its iterations.
    const bool plain = node.loop != ForKind::kThread && node.annotations.empty();
    // What begins at 0 ends where it is said, whatever a variable holds.
    const bool is_counted = is_int(result.min, 0) && Var::of(result.extent).defined();
    const bool is_exact = is_counted || (!analyzer_.is_data(result.min) && !analyzer_.is_data(result.extent));
    if (!is_exact) analyzer_.bind_data(node.var);
    if (plain && extent != nullptr && *extent == 1) {
      if (!reads_memory(result.min)) return visit(substitute(node.body, {{node.var.get(), result.min}}));
      const Stmt body = visit(node.body);
      return body ? make_stmt(Let(node.var, result.min, body)) : Stmt();
    }
    if (is_exact) analyzer_.bind(node.var, {result.min, result.extent});
    result.body = visit(node.body);
    if (!result.body) return {};
    return make_stmt(std::move(result));
  }

  Stmt visit_let(const Let& node, const Stmt& self) override {
    if (analyzer_.is_data(node.value)) analyzer_.bind_data(node.var);
    return Mutator::visit_let(node, self);
  }

  Stmt visit_block(const Block& node, const Stmt& self) override {
    for (const Axis& axis : node.axes) analyzer_.bind(axis.var, axis.domain);
    return Mutator::visit_block(node, self);
  }

  Stmt visit_if(const If& node, const Stmt&) override {
    const Expr condition = visit(node.condition);
    if (const int64_t* value = as_int(condition)) {
      if (*value != 0) return visit(node.then);
      return node.otherwise ? visit(node.otherwise) : Stmt();
    }
    size_t facts = analyzer_.assume(analyzer_.exact_part(lasting(condition)));
    const Stmt then = visit(node.then);
    analyzer_.forget(facts);
    facts = analyzer_.assume(analyzer_.exact_part(lasting(!without_hint(condition))));
    const Stmt otherwise = node.otherwise ? visit(node.otherwise) : Stmt();
    analyzer_.forget(facts);
    if (!then && !otherwise) return {};
    if (!then) return make_stmt(If(!without_hint(condition), otherwise, {}));
    return make_stmt(If(condition, then, otherwise));
  }

 private:
  static Expr without_hint(const Expr& condition) {
    const auto* hint = condition.as<Call>();
    return hint != nullptr && hint->function == kLikely ? hint->arguments[0] : condition;
  }

  Analyzer analyzer_;
};

}  // namespace

PrimFunc simplify(PrimFunc function) {
  function.body = Simplify(function).visit(function.body);
  return function;
}

}  // namespace vantage::passes
