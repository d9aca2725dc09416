#include "compiler/passes/unroll_loops.h"

#include <fmt/ranges.h>

#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::passes {

using namespace ir;

namespace {

// Copies beyond this take a compiler minutes: 4096 of a loop's body took LLVM 77 s.
constexpr int64_t kMostCopies = 1024;

// How many copies of the innermost statements unrolling makes, at most, and of which loops.
class Copies final : public Visitor {
 public:
  using Visitor::visit;
  int64_t most = 1;
  std::vector<std::string> loops;

 protected:
  void visit_for(const For& node) override {
    const int64_t* extent = as_int(node.extent);
    if (node.loop != ForKind::kUnrolled || extent == nullptr || *extent <= 1) return Visitor::visit_for(node);
    const int64_t around = copies_;
    copies_ = *extent > INT64_MAX / around ? INT64_MAX : around * *extent;
    names_.push_back(node.var.name());
    if (copies_ > most) {
      most = copies_;
      loops = names_;
    }
    Visitor::visit_for(node);
    names_.pop_back();
    copies_ = around;
  }

 private:
  int64_t copies_ = 1;
  std::vector<std::string> names_;
};

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
  Copies copies;
  copies.visit(function.body);
  if (copies.most > kMostCopies) {
    fail("unroll: {} makes {} copies of what is inside, more than {}; unroll fewer iterations (split)",
         fmt::join(copies.loops, " around "), copies.most, kMostCopies);
  }
  function.body = UnrollLoops().visit(function.body);
  return function;
}

}  // namespace vantage::passes
