#include "compiler/passes/plan_allocations.h"

#include <algorithm>
#include <set>

#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/passes/notes.h"

namespace vantage::passes {

using namespace ir;

namespace {

// Which statements use a buffer, and which loops carry values of it from one iteration to the next.
class Uses final : public Visitor {
 public:
  explicit Uses(const Buffer& buffer) : buffer_(buffer) {}
  using Visitor::visit;

  void visit(const Stmt& stmt) override {
    const bool before = found_;
    found_ = false;
    Visitor::visit(stmt);
    if (found_) holders.insert(stmt.get());
    found_ = found_ || before;
  }

  std::set<const StmtNode*> holders;
  std::set<const VarNode*> carriers;

 protected:
  void visit_load(const Load& node) override {
    Visitor::visit_load(node);
    found_ = found_ || node.buffer == buffer_;
  }
  void visit_view(const View& node) override {
    Visitor::visit_view(node);
    found_ = found_ || node.buffer == buffer_;
    written_ = written_ || (node.buffer == buffer_ && node.touch != Touch::kRead);
  }
  void visit_store(const Store& node) override {
    Visitor::visit_store(node);
    found_ = found_ || node.buffer == buffer_;
    written_ = written_ || node.buffer == buffer_;
  }
  void visit_block(const Block& node) override {
    const bool before = written_;
    written_ = false;
    Visitor::visit_block(node);
    for (size_t i = 0; written_ && i < node.axes.size(); ++i) {
      if (node.axes[i].kind == AxisKind::kSpatial) continue;
      uses_var(node.bindings[i], [&](const VarNode* var) {
        carriers.insert(var);
        return false;
      });
    }
    written_ = written_ || before;
  }

 private:
  const Buffer& buffer_;
  bool found_ = false, written_ = false;
};

// Notes of the blocks that write a buffer which are about the buffer.
class Notes final : public Visitor {
 public:
  explicit Notes(const Buffer& buffer) : buffer_(buffer) {}
  using Visitor::visit;
  Annotations found;

 protected:
  void visit_block(const Block& node) override {
    block_ = &node;
    Visitor::visit_block(node);
  }
  void visit_store(const Store& node) override {
    if (node.buffer == buffer_) take();
  }
  void visit_view(const View& node) override {
    if (node.buffer == buffer_ && node.touch != Touch::kRead) take();
  }

 private:
  void take() {
    if (block_ == nullptr) return;
    for (std::string_view key : {kDoubleBufferNote, kAlignAxisNote, kAlignFactorNote, kAlignOffsetNote}) {
      const auto note = block_->annotations.find(std::string(key));
      if (note != block_->annotations.end()) found.insert(*note);
    }
  }

  const Buffer& buffer_;
  const Block* block_ = nullptr;
};

class Place final : public Mutator {
 public:
  Place(const Buffer& buffer, const Uses& uses, Annotations notes)
      : buffer_(buffer), uses_(uses), notes_(std::move(notes)) {}
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

  // `stmt` holds all uses.
  Stmt visit(const Stmt& stmt) override {
    if (const auto* loop = stmt.as<For>(); loop != nullptr && uses_.carriers.count(loop->var.get()) == 0) {
      For inside = *loop;
      inside.body = visit(loop->body);
      return make_stmt(std::move(inside));
    }
    if (const auto* sequence = stmt.as<Seq>()) {
      std::vector<Stmt> stmts = sequence->stmts;
      const auto holds = [&](const Stmt& s) { return uses_.holders.count(s.get()) > 0; };
      if (std::count_if(stmts.begin(), stmts.end(), holds) == 1) {
        const auto only = std::find_if(stmts.begin(), stmts.end(), holds);
        *only = visit(*only);
        return seq(std::move(stmts));
      }
    }
    if (const auto* inner = stmt.as<Allocate>()) {
      return make_stmt(Allocate(inner->buffer, visit(inner->body), inner->annotations));
    }
    return make_stmt(Allocate(buffer_, stmt, notes_));
  }

 private:
  const Buffer& buffer_;
  const Uses& uses_;
  Annotations notes_;
};

}  // namespace

PrimFunc plan_allocations(PrimFunc function) {
  // The last one first: buffers are then allocated in the order of the function's list.
  for (size_t i = function.allocations.size(); i-- > 0;) {
    const Buffer buffer = function.allocations[i];
    Uses uses(buffer);
    uses.visit(function.body);
    if (uses.holders.empty()) continue;
    Notes notes(buffer);
    notes.visit(function.body);
    function.body = Place(buffer, uses, std::move(notes.found)).visit(function.body);
  }
  function.allocations.clear();
  return function;
}

}  // namespace vantage::passes
