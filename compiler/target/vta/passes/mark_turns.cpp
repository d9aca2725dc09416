#include "compiler/target/vta/passes/mark_turns.h"

#include "compiler/target/vta/calls.h"
#include "compiler/tir/visitor.h"

namespace vantage::compiler {

using namespace tir;

namespace {

bool has_call(const Stmt& stmt, std::string_view function) {
  struct Search final : Visitor {
    using Visitor::visit;
    std::string_view function;
    bool found = false;
    void visit_call(const Call& node) override { found = found || node.function == function; }
  } search;
  search.function = function;
  search.visit(stmt);
  return search.found;
}

class MarkTurns final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (node.loop != ForKind::kVirtualThread || !function_.empty()) return Mutator::visit_for(node, self);
    function_ = has_call(node.body, kGemmCall) ? kGemmCall : kStoreCall;
    Stmt result = Mutator::visit_for(node, self);
    function_ = {};
    return result;
  }
  Stmt visit_evaluate(const Evaluate&, const Stmt& self) override {
    if (function_.empty() || call_of(self, function_) == nullptr) return self;
    return seq({self, evaluate(Expr(std::make_shared<Call>(kVoid, std::string(kTurnCall), std::vector<Expr>())))});
  }

 private:
  std::string_view function_;  // the one whose calls end turns; empty outside of virtual threads
};

}  // namespace

PrimFunc mark_turns(PrimFunc function) {
  function.body = MarkTurns().visit(function.body);
  return function;
}

}  // namespace vantage::compiler
