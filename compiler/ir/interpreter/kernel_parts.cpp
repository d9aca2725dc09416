#include "compiler/ir/interpreter/kernel_parts.h"

#include "compiler/ir/visitor.h"

namespace vantage::ir::interpreter {

namespace {

bool is_tag(std::string_view tag, std::string_view family) {
  if (!tag.starts_with(family) || tag.size() != family.size() + 2) return false;
  return tag[family.size()] == '.' && tag.back() >= 'x' && tag.back() <= 'z';
}

bool is_scope(std::string_view scope, std::string_view family) {
  return scope == family || (scope.starts_with(family) && scope[family.size()] == '.');
}

class Loops final : public Visitor {
 public:
  std::vector<const For*> found;

 protected:
  void visit_for(const For& node) override {
    if (node.loop == ForKind::kThread) found.push_back(&node);
    Visitor::visit_for(node);
  }
};

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

bool is_thread_tag(std::string_view tag) {
  return is_tag(tag, "threadIdx");
}
bool is_block_tag(std::string_view tag) {
  return is_tag(tag, "blockIdx");
}
bool is_local(std::string_view scope) {
  return is_scope(scope, "local");
}
bool is_shared(std::string_view scope) {
  return is_scope(scope, "shared");
}

std::vector<const For*> thread_loops(const Stmt& stmt) {
  Loops loops;
  loops.visit(stmt);
  return loops.found;
}

std::unordered_set<const BufferNode*> used_buffers(const Stmt& stmt) {
  Buffers buffers;
  buffers.visit(stmt);
  return buffers.found;
}

}  // namespace vantage::ir::interpreter
