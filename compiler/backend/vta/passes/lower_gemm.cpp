#include "compiler/backend/vta/passes/lower_gemm.h"

#include "compiler/backend/vta/calls.h"
#include "compiler/backend/vta/passes/element_nest.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::vta {

using namespace ir;

namespace {

class LowerGemm final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt&) override {
    For loop = node;
    loop.body = visit(node.body);
    const Call* call = call_of(loop.body);
    const bool compute = call != nullptr && (call->function == kGemmCall || call->function == kResetCall);
    const bool is_apart = loop.loop == ForKind::kVirtualThread || loop.annotations.count(std::string(kApartNote)) > 0;
    if (!compute || is_apart) return make_stmt(std::move(loop));
    ComputeCall folded = ComputeCall::parse(*call);
    CallAxis axis{loop.extent, {}};
    for (auto& operand : folded.operands) {
      const auto index = affine_index(operand.element, {loop});
      if (!index || index->steps[0] < 0) return make_stmt(std::move(loop));
      operand.element = index->base;
      axis.steps.push_back(index->steps[0]);
    }
    for (const CallAxis& inner : folded.axes) {
      if (uses_var(inner.extent, loop.var)) return make_stmt(std::move(loop));
    }
    folded.axes.insert(folded.axes.begin(), axis);
    return folded.to_stmt();
  }
};

}  // namespace

PrimFunc lower_gemm(PrimFunc function) {
  function.body = LowerGemm().visit(function.body);
  return function;
}

}  // namespace vantage::vta
