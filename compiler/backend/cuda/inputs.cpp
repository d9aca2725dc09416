#include "compiler/backend/cuda/inputs.h"

#include <algorithm>

#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

class UsesVar final : public Visitor {
 public:
  explicit UsesVar(const VarNode* var) : var_(var) {}
  using Visitor::visit;
  bool result = false;

 protected:
  void visit_var(const VarNode& node) override { result |= &node == var_; }

 private:
  const VarNode* const var_;
};

bool uses(const Expr& expr, const Var& var) {
  UsesVar visitor(var.get());
  visitor.visit(expr);
  return visitor.result;
}

// In the order in which the host launches and a thread does it.
class Inputs final : public Visitor {
 public:
  explicit Inputs(const Module& module) : module_(module) {}
  using Visitor::visit;
  std::set<const BufferNode*> found;

 protected:
  void visit_call(const Call& node) override {
    if (node.function != kLaunch) return Visitor::visit_call(node);
    const std::string& name = node.arguments.at(0).as<StringImm>()->value;
    for (const Kernel& kernel : module_.kernels) {
      if (kernel.name == name) visit(kernel.body);
    }
  }

  void visit_load(const Load& node) override {
    Visitor::visit_load(node);
    const auto is_same = [&](const Store* store) {
      return store->buffer.get() == node.buffer.get() &&
             std::equal(store->indices.begin(), store->indices.end(), node.indices.begin(), node.indices.end(),
                        [](const Expr& a, const Expr& b) { return structural_equal(a, b); });
    };
    if (std::none_of(stores_.begin(), stores_.end(), is_same)) found.insert(node.buffer.get());
  }
  void visit_view(const View& node) override {
    Visitor::visit_view(node);
    if (node.touch != Touch::kWrite) found.insert(node.buffer.get());
  }

  void visit_store(const Store& node) override {
    Visitor::visit_store(node);
    if (std::none_of(node.indices.begin(), node.indices.end(), reads_memory)) stores_.push_back(&node);
  }

  // What is stored inside of these has another meaning outside, or may not happen.
  void visit_for(const For& node) override {
    const size_t before = stores_.size();
    loops_.push_back({&node, conditions_});
    Visitor::visit_for(node);
    loops_.pop_back();
    stores_.resize(before);
  }
  void visit_let(const Let& node) override {
    const size_t before = stores_.size();
    ++conditions_;
    Visitor::visit_let(node);
    --conditions_;
    stores_.resize(before);
  }
  void visit_if(const If& node) override {
    visit(node.condition);
    const size_t before = stores_.size();
    ++conditions_;
    visit(node.then);
    --conditions_;
    std::vector<const Store*> kept;
    std::vector<Var> firsts;
    if (is_first(node.condition, firsts)) {
      for (size_t i = before; i < stores_.size(); ++i) {
        if (!uses_any(*stores_[i], firsts)) kept.push_back(stores_[i]);
      }
    }
    stores_.resize(before);
    if (node.otherwise) {
      ++conditions_;
      visit(node.otherwise);
      --conditions_;
      stores_.resize(before);
    }
    stores_.insert(stores_.end(), kept.begin(), kept.end());
  }

 private:
  struct Loop {
    const For* node;
    int conditions;  // around it
  };

  // Whether a condition says that loops around it, one inside the other, are at their beginning; nothing but loops that
  // do not depend on them lies between. What happens then has happened in all of their iterations.
  bool is_first(const Expr& condition, std::vector<Var>& firsts) const {
    const auto* node = condition.as<Binary>();
    if (node == nullptr) return false;
    if (node->op == BinaryOp::kAnd) return is_first(node->a, firsts) && is_first(node->b, firsts);
    if (node->op != BinaryOp::kEq) return false;
    const auto loop = std::find_if(loops_.begin(), loops_.end(), [&](const Loop& l) {
      return structural_equal(node->a, l.node->var) && structural_equal(node->b, l.node->min);
    });
    if (loop == loops_.end() || loop->conditions != conditions_) return false;
    if (loop->node->loop != ForKind::kSerial && loop->node->loop != ForKind::kUnrolled) return false;
    const auto depends = [&](const Loop& inner) {
      return uses(inner.node->min, loop->node->var) || uses(inner.node->extent, loop->node->var);
    };
    if (std::any_of(loop + 1, loops_.end(), depends)) return false;
    firsts.push_back(loop->node->var);
    return true;
  }

  static bool uses_any(const Store& store, const std::vector<Var>& vars) {
    return std::any_of(store.indices.begin(), store.indices.end(), [&](const Expr& index) {
      return std::any_of(vars.begin(), vars.end(), [&](const Var& var) { return uses(index, var); });
    });
  }

  const Module& module_;
  std::vector<const Store*> stores_;  // that have happened before what comes next, with the same variables
  std::vector<Loop> loops_;           // around
  int conditions_ = 0;                // around
};

}  // namespace

std::set<const BufferNode*> inputs_of(const Module& module) {
  Inputs inputs(module);
  if (module.host.body) inputs.visit(module.host.body);
  return std::move(inputs.found);
}

}  // namespace vantage::cuda
