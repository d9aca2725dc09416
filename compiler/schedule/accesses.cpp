#include "compiler/schedule/accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::schedule {

namespace {

bool is_in(const std::vector<Buffer>& list, const Buffer& buffer) {
  return std::find(list.begin(), list.end(), buffer) != list.end();
}

// All that a block, an expression or a single statement touches.
class Touched final : public ir::Visitor {
 public:
  explicit Touched(Access& access) : access_(access) {}
  using Visitor::visit;

 protected:
  void visit_load(const ir::Load& node) override {
    Visitor::visit_load(node);
    add(access_.reads, node.buffer);
  }
  void visit_store(const ir::Store& node) override {
    Visitor::visit_store(node);
    add(access_.writes, node.buffer);
  }
  void visit_view(const ir::View& node) override {
    Visitor::visit_view(node);
    if (node.touch != ir::Touch::kWrite) add(access_.reads, node.buffer);
    if (node.touch != ir::Touch::kRead) add(access_.writes, node.buffer);
  }

 private:
  static void add(std::vector<Buffer>& list, const Buffer& buffer) {
    if (!is_in(list, buffer)) list.push_back(buffer);
  }
  Access& access_;
};

class Accesses final : public ir::Visitor {
 public:
  using Visitor::visit;
  std::vector<Access> found;

  void visit(const Stmt& stmt) override {
    const Stmt outer = std::exchange(self_, stmt);
    Visitor::visit(stmt);
    self_ = outer;
  }

 protected:
  void visit_store(const ir::Store&) override { add_whole(); }
  void visit_evaluate(const ir::Evaluate&) override { add_whole(); }
  void visit_block(const Block&) override { add_whole(); }
  void visit_for(const For& node) override {
    add_expressions({node.min, node.extent});
    visit(node.body);
  }
  void visit_if(const ir::If& node) override {
    add_expressions({node.condition});
    if (node.then) visit(node.then);
    if (node.otherwise) visit(node.otherwise);
  }
  void visit_let(const ir::Let& node) override {
    add_expressions({node.value});
    visit(node.body);
  }

 private:
  void add_whole() {
    Access access{self_, {}, {}};
    Touched(access).visit(self_);
    found.push_back(std::move(access));
  }
  void add_expressions(const std::vector<Expr>& list) {
    Access access{self_, {}, {}};
    for (const Expr& expr : list) Touched(access).visit(expr);
    if (!access.reads.empty()) found.push_back(std::move(access));
  }
  Stmt self_;
};

}  // namespace

bool Access::reads_any_of(const Buffer& buffer) const {
  return is_in(reads, buffer);
}
bool Access::writes_any_of(const Buffer& buffer) const {
  return is_in(writes, buffer);
}

std::vector<Access> accesses(const Stmt& stmt) {
  Accesses search;
  search.visit(stmt);
  return std::move(search.found);
}

std::vector<Access> accesses(const PrimFunc& function, const Path& path) {
  Stmt scope = function.body;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (const auto* block = path[i].as<Block>()) scope = block->body;
  }
  return accesses(scope);
}

std::string described(const Access& access) {
  if (const auto* block = access.stmt.as<Block>()) return "the block " + block->name;
  if (const auto* loop = access.stmt.as<For>()) return fmt::format("the loop {} by its bounds", loop->var.name());
  if (const auto* choice = access.stmt.as<ir::If>()) {
    return fmt::format("the condition '{}'", ir::to_text(choice->condition));
  }
  if (const auto* let = access.stmt.as<ir::Let>()) return fmt::format("the value of {}", let->var.name());
  std::string text = ir::to_text(access.stmt);
  text.erase(text.find_last_not_of('\n') + 1);
  return fmt::format("the statement '{}'", text);
}

size_t common_length(const Path& a, const Path& b) {
  size_t length = 0;
  while (length < a.size() && length < b.size() && a[length].same_as(b[length])) ++length;
  return length;
}

std::string used_of(const Stmt& stmt, const Path& path, size_t from) {
  for (size_t i = from; i + 1 < path.size(); ++i) {
    const auto* loop = path[i].as<For>();
    const auto* let = path[i].as<ir::Let>();
    const auto* allocate = path[i].as<ir::Allocate>();
    if (loop != nullptr && ir::uses_var(stmt, loop->var)) return loop->var.name();
    if (let != nullptr && ir::uses_var(stmt, let->var)) return let->var.name();
    if (allocate != nullptr && ir::touches(stmt, allocate->buffer)) return allocate->buffer->name;
  }
  return {};
}

}  // namespace vantage::schedule
