// Walking trees. Derive from Visitor or Mutator and override what matters; the default visits every child.
// Each has one virtual function per kind of node, called through visit(). A null statement is nothing, and stays so.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::ir {

class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void visit(const Expr& expr);
  virtual void visit(const Stmt& stmt);

 protected:
  virtual void visit_var(const VarNode&) {}
  virtual void visit_load(const Load& node);
  virtual void visit_call(const Call& node);
  virtual void visit_view(const View& node);
  virtual void visit_select(const Select& node);
  virtual void visit_binary(const Binary& node);

  virtual void visit_store(const Store& node);
  virtual void visit_for(const For& node);
  virtual void visit_block(const Block& node);
  virtual void visit_if(const If& node);
  virtual void visit_let(const Let& node);
  virtual void visit_allocate(const Allocate& node);
  virtual void visit_evaluate(const Evaluate& node);
};

// Rebuilds a tree from its mutated children; what does not change is shared with the old one. `self` is the node being
// visited, to be returned when nothing changed.
class Mutator {
 public:
  virtual ~Mutator() = default;
  virtual Expr visit(const Expr& expr);
  virtual Stmt visit(const Stmt& stmt);
  Range visit(const Range& range);
  std::vector<Expr> visit(const std::vector<Expr>& exprs);

 protected:
  // The same; none where nothing changed.
  std::optional<std::vector<Expr>> changed(const std::vector<Expr>& exprs);

  virtual Expr visit_var(const VarNode& node, const Expr& self);
  virtual Expr visit_load(const Load& node, const Expr& self);
  virtual Expr visit_call(const Call& node, const Expr& self);
  virtual Expr visit_view(const View& node, const Expr& self);
  virtual Expr visit_select(const Select& node, const Expr& self);
  virtual Expr visit_binary(const Binary& node, const Expr& self);

  // A statement may become null: nothing.
  virtual Stmt visit_store(const Store& node, const Stmt& self);
  virtual Stmt visit_for(const For& node, const Stmt& self);
  virtual Stmt visit_block(const Block& node, const Stmt& self);
  virtual Stmt visit_seq(const Seq& node, const Stmt& self);
  virtual Stmt visit_if(const If& node, const Stmt& self);
  virtual Stmt visit_let(const Let& node, const Stmt& self);
  virtual Stmt visit_allocate(const Allocate& node, const Stmt& self);
  virtual Stmt visit_evaluate(const Evaluate& node, const Stmt& self);
  // What stands in a buffer's place in loads, stores, views and allocations.
  virtual Buffer visit_buffer(const Buffer& buffer) { return buffer; }
};

}  // namespace vantage::ir
