#include "compiler/passes/lower_blocks.h"

#include "compiler/ir/intrinsics.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::passes {

using namespace ir;

namespace {

Stmt guarded(const Expr& condition, const Stmt& body) {
  if (is_int(condition, 1)) return body;
  return make_stmt(If(call(kLikely, {condition}), body, {}));
}

class LowerBlocks final : public Mutator {
 public:
  using Mutator::visit;

 protected:
  Stmt visit_block(const Block& node, const Stmt&) override {
    VarMap axes;
    Expr first = true;
    for (size_t i = 0; i < node.axes.size(); ++i) {
      axes[node.axes[i].var.get()] = node.bindings[i];
      if (node.axes[i].kind == AxisKind::kReduce) first = first && node.bindings[i] == node.axes[i].domain.min;
    }
    Stmt body = node.body;
    if (node.init) body = seq({is_int(first, 1) ? node.init : make_stmt(If(first, node.init, {})), body});
    return guarded(substitute(node.predicate, axes), visit(substitute(body, axes)));
  }
};

}  // namespace

PrimFunc lower_blocks(PrimFunc function) {
  function.body = LowerBlocks().visit(function.body);
  return function;
}

}  // namespace vantage::passes
