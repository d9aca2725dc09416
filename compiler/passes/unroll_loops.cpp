#include "compiler/passes/unroll_loops.h"

#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/unrolling.h"
#include "compiler/ir/visitor.h"

namespace vantage::passes {

using namespace ir;

namespace {

class UnrollLoops final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    const int64_t* extent = as_int(node.extent);
    const Stmt changed = Mutator::visit_for(node, self);
    if (node.loop != ForKind::kUnrolled || extent == nullptr || !changed) return changed;
    std::vector<Stmt> iterations;
    for (int64_t i = 0; i < *extent; ++i) {
      const Expr value = node.min + make_int(node.var.dtype(), i);
      iterations.push_back(fresh_copy(substitute(changed.as<For>()->body, {{node.var.get(), value}})));
    }
    return seq(std::move(iterations));
  }
};

}  // namespace

PrimFunc unroll_loops(PrimFunc function) {
  if (const std::string why = unrolled_too_far(function.body); !why.empty()) throw Error(why);
  function.body = UnrollLoops().visit(function.body);
  return function;
}

}  // namespace vantage::passes
