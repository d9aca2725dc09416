#include "compiler/ir/thread_axes.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

bool is_scope(std::string_view scope, std::string_view family) {
  return scope == family || (scope.starts_with(family) && scope[family.size()] == '.');
}

class Loops final : public Visitor {
 public:
  using Visitor::visit;
  void visit(const Expr&) override {}
  std::vector<const For*> found;

 protected:
  void visit_for(const For& node) override {
    if (node.loop == ForKind::kThread) found.push_back(&node);
    Visitor::visit_for(node);
  }
};

class Writes final : public Visitor {
 public:
  using Visitor::visit;
  bool only_shared = true;

 protected:
  void visit_store(const Store& node) override {
    only_shared = only_shared && is_shared(node.buffer->scope);
    Visitor::visit_store(node);
  }
  void visit_view(const View& node) override {
    only_shared = only_shared && (node.touch == Touch::kRead || is_shared(node.buffer->scope));
    Visitor::visit_view(node);
  }
};

bool shared_out(const For& outer, const For& inner) {
  Writes writes;
  writes.visit(inner.body);
  return is_thread_index(inner.thread) && writes.only_shared && !uses_var(inner.body, outer.var) &&
         !uses_var(inner.min, outer.var) && !uses_var(inner.extent, outer.var);
}

}  // namespace

bool is_thread_axis(std::string_view name) {
  return std::find(kThreadAxes.begin(), kThreadAxes.end(), name) != kThreadAxes.end();
}

std::string wrong_axis(const For& loop) {
  if (is_thread_axis(loop.thread)) return "";
  return fmt::format("the loop {} is bound to '{}', expected blockIdx.x, .y, .z or threadIdx.x, .y, .z",
                     loop.var.name(), loop.thread);
}

bool is_block_index(std::string_view axis) {
  return is_thread_axis(axis) && axis.starts_with("blockIdx");
}

bool is_thread_index(std::string_view axis) {
  return is_thread_axis(axis) && axis.starts_with("threadIdx");
}

bool is_local(std::string_view scope) {
  return is_scope(scope, "local");
}

bool is_shared(std::string_view scope) {
  return is_scope(scope, "shared");
}

bool is_of_warps(std::string_view scope) {
  return scope == kWarpScope || scope == kWarpgroupScope;
}

bool is_common(std::string_view scope, std::string_view axis) {
  if (is_local(scope)) return false;
  if (is_of_warps(scope)) return axis == "threadIdx.x";
  return is_thread_index(axis) || !is_shared(scope);
}

bool is_sharing(const For& loop) {
  return loop.loop == ForKind::kVirtualThread || (loop.loop == ForKind::kThread && is_thread_index(loop.thread));
}

std::vector<const For*> thread_loops(const Stmt& stmt) {
  Loops loops;
  loops.visit(stmt);
  return loops.found;
}

std::string nested_threads(const Stmt& stmt) {
  for (const For* outer : thread_loops(stmt)) {
    for (const For* inner : thread_loops(outer->body)) {
      if (inner->thread != outer->thread || shared_out(*outer, *inner)) continue;
      return fmt::format(
          "the loop {} stands inside of the loop {}, and both are bound to {}; fuse the two, or bind one to another "
          "axis; only what fills shared memory, alike in all iterations of the outer loop, is shared out among its "
          "threads",
          inner->var.name(), outer->var.name(), outer->thread);
    }
  }
  return "";
}

}  // namespace vantage::ir
