#include "compiler/ir/interpreter/used_buffers.h"

#include "compiler/ir/visitor.h"

namespace vantage::ir::interpreter {

namespace {

class Buffers final : public Visitor {
 public:
  std::unordered_set<const BufferNode*> found;

 protected:
  void visit_load(const Load& node) override {
    found.insert(node.buffer.get());
    Visitor::visit_load(node);
  }
  void visit_view(const View& node) override {
    found.insert(node.buffer.get());
    Visitor::visit_view(node);
  }
  void visit_store(const Store& node) override {
    found.insert(node.buffer.get());
    Visitor::visit_store(node);
  }
};

}  // namespace

std::unordered_set<const BufferNode*> used_buffers(const Stmt& stmt) {
  Buffers buffers;
  buffers.visit(stmt);
  return buffers.found;
}

}  // namespace vantage::ir::interpreter
