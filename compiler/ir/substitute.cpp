#include "compiler/ir/substitute.h"

#include <algorithm>

#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

class Substitute : public Mutator {
 public:
  Substitute(const VarMap& vars, const BufferMap& buffers) : vars_(vars), buffers_(buffers) {}
  using Mutator::visit;

 protected:
  Expr visit_var(const VarNode& node, const Expr& self) override {
    const auto found = vars_.find(&node);
    return found == vars_.end() ? self : found->second;
  }
  Buffer visit_buffer(const Buffer& buffer) override {
    if (const auto own = resized_.find(buffer.get()); own != resized_.end()) return own->second;
    const auto found = buffers_.find(buffer.get());
    return found == buffers_.end() ? buffer : found->second;
  }
  // A buffer whose sizes change is another buffer, below here.
  Stmt visit_allocate(const Allocate& node, const Stmt& self) override {
    const BufferNode& old = *node.buffer;
    const auto uses = [&](const Expr& e) { return uses_var(e, [&](const VarNode* v) { return vars_.count(v) != 0; }); };
    const bool changes = std::any_of(old.shape.begin(), old.shape.end(), uses) ||
                         std::any_of(old.strides.begin(), old.strides.end(), uses);
    if (changes && buffers_.count(&old) == 0 && resized_.count(&old) == 0) resized_[&old] = resized(old);
    return Mutator::visit_allocate(node, self);
  }
  Buffer resized(const BufferNode& old) {
    BufferNode copy = old;
    copy.shape = visit(old.shape);
    copy.strides = visit(old.strides);
    return std::make_shared<const BufferNode>(std::move(copy));
  }

  const VarMap& vars_;
  const BufferMap& buffers_;
  BufferMap resized_;  // that the walk itself came by
};

class FreshCopy final : public Substitute {
 public:
  FreshCopy() : Substitute(renamed_, none_) {}

 protected:
  Stmt visit_for(const For& node, const Stmt&) override {
    For copy = node;
    copy.min = visit(node.min);
    copy.extent = visit(node.extent);
    copy.var = rename(node.var);
    copy.body = visit(node.body);
    return make_stmt(std::move(copy));
  }
  Stmt visit_block(const Block& node, const Stmt&) override {
    Block copy = node;
    copy.bindings = visit(node.bindings);
    for (Axis& axis : copy.axes) {
      axis.domain = visit(axis.domain);
      axis.var = rename(axis.var);
    }
    copy.predicate = visit(node.predicate);
    if (node.init) copy.init = visit(node.init);
    copy.body = visit(node.body);
    return make_stmt(std::move(copy));
  }
  Stmt visit_let(const Let& node, const Stmt&) override {
    const Expr value = visit(node.value);
    const Var var = rename(node.var);
    return make_stmt(Let(var, value, visit(node.body)));
  }
  Stmt visit_allocate(const Allocate& node, const Stmt&) override {
    const Buffer copy = resized_[node.buffer.get()] = resized(*node.buffer);
    return make_stmt(Allocate(copy, visit(node.body), node.annotations));
  }

 private:
  Var rename(const Var& var) {
    Var fresh(var.name(), var.dtype());
    renamed_[var.get()] = fresh;
    return fresh;
  }

  VarMap renamed_;
  BufferMap none_;
};

class UsesVar final : public Visitor {
 public:
  explicit UsesVar(const std::function<bool(const VarNode*)>& wanted) : wanted_(wanted) {}
  using Visitor::visit;
  bool found = false;

 protected:
  void visit_var(const VarNode& node) override { found = found || wanted_(&node); }

 private:
  const std::function<bool(const VarNode*)>& wanted_;
};

}  // namespace

Expr substitute(const Expr& expr, const VarMap& vars, const BufferMap& buffers) {
  return Substitute(vars, buffers).visit(expr);
}

Stmt substitute(const Stmt& stmt, const VarMap& vars, const BufferMap& buffers) {
  return Substitute(vars, buffers).visit(stmt);
}

Range substitute(const Range& range, const VarMap& vars) {
  return {substitute(range.min, vars), substitute(range.extent, vars)};
}

Stmt fresh_copy(const Stmt& stmt) {
  return FreshCopy().visit(stmt);
}

bool uses_var(const Expr& expr, const Var& var) {
  return uses_var(expr, [&](const VarNode* node) { return node == var.get(); });
}

bool uses_var(const Expr& expr, const std::function<bool(const VarNode*)>& wanted) {
  UsesVar search(wanted);
  search.visit(expr);
  return search.found;
}

bool uses_var(const Stmt& stmt, const Var& var) {
  const std::function<bool(const VarNode*)> wanted = [&](const VarNode* node) { return node == var.get(); };
  UsesVar search(wanted);
  search.visit(stmt);
  return search.found;
}

Expr predicate_of_loops(const Block& block) {
  const auto is_axis = [&](const VarNode* var) {
    return std::any_of(block.axes.begin(), block.axes.end(), [&](const Axis& axis) { return axis.var.get() == var; });
  };
  std::vector<Expr> parts = conjuncts(block.predicate);
  std::erase_if(parts, [&](const Expr& part) { return uses_var(part, is_axis); });
  return all_of(parts);
}

}  // namespace vantage::ir
