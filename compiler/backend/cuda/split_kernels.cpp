#include "compiler/backend/cuda/split_kernels.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "compiler/backend/cuda/box_copy.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// What a kernel uses and does not make itself.
class UsedOutside final : public Visitor {
 public:
  using Visitor::visit;
  std::vector<Buffer> buffers;
  std::vector<Var> vars;
  std::set<const BufferNode*> written;
  std::vector<TensorMap> maps;

  void visit(const Expr& expr) override {
    if (const Var var = Var::of(expr); var.defined()) add(vars, var);
    Visitor::visit(expr);
  }

 protected:
  void visit_load(const Load& node) override {
    add(node.buffer, false);
    Visitor::visit_load(node);
  }
  void visit_store(const Store& node) override {
    add(node.buffer, true);
    Visitor::visit_store(node);
  }
  void visit_view(const View& node) override {
    add(node.buffer, node.touch != Touch::kRead);
    Visitor::visit_view(node);
  }
  void visit_call(const Call& node) override {
    Visitor::visit_call(node);
    if (node.function != kCopyBox) return;
    const BoxCopy copy = box_copy(node);
    const TensorMap map{copy.from->buffer, copy.column()};
    if (std::find(maps.begin(), maps.end(), map) == maps.end()) maps.push_back(map);
  }
  void visit_for(const For& node) override {
    own_vars_.insert(node.var.get());
    Visitor::visit_for(node);
  }
  void visit_let(const Let& node) override {
    own_vars_.insert(node.var.get());
    Visitor::visit_let(node);
  }
  void visit_allocate(const Allocate& node) override {
    own_buffers_.insert(node.buffer.get());
    Visitor::visit_allocate(node);
  }

 private:
  void add(const Buffer& buffer, bool is_written) {
    if (own_buffers_.count(buffer.get()) > 0) return;
    if (std::find(buffers.begin(), buffers.end(), buffer) == buffers.end()) {
      buffers.push_back(buffer);
      // Their elements are found by their strides.
      for (const Expr& stride : buffer->all_strides()) visit(stride);
      for (const Expr& size : buffer->shape) visit(size);
    }
    if (is_written) written.insert(buffer.get());
  }
  void add(std::vector<Var>& list, const Var& var) const {
    if (own_vars_.count(var.get()) > 0) return;
    const auto same = [&](const Var& v) { return v.get() == var.get(); };
    if (std::none_of(list.begin(), list.end(), same)) list.push_back(var);
  }

  std::set<const VarNode*> own_vars_;
  std::set<const BufferNode*> own_buffers_;
};

bool has_kernel(const Stmt& stmt) {
  return !thread_loops(stmt).empty();
}

void set_extent(Kernel& kernel, const For& loop) {
  Extents& extents = is_block_index(loop.thread) ? kernel.grid : kernel.block;
  extents[static_cast<size_t>(loop.thread.back() - 'x')] = loop.extent;
}

class Splitter {
 public:
  explicit Splitter(const PrimFunc& function) : function_(function) {}

  Module split() {
    Module module;
    module.host = function_;
    module.host.body = function_.body ? visit(function_.body) : Stmt();
    module.kernels = std::move(kernels_);
    return module;
  }

 private:
  Stmt visit(const Stmt& stmt) {
    if (!has_kernel(stmt)) return launch(stmt);
    switch (stmt.kind()) {
      case StmtKind::kFor: return visit(stmt, *stmt.as<For>());
      case StmtKind::kSeq: return visit(*stmt.as<Seq>());
      case StmtKind::kIf: {
        const auto& node = *stmt.as<If>();
        require_known(node.condition, "the condition " + to_text(node.condition));
        return make_stmt(If(node.condition, visit(node.then), node.otherwise ? visit(node.otherwise) : Stmt()));
      }
      case StmtKind::kLet: {
        Let node = *stmt.as<Let>();
        require_known(node.value, "the variable " + node.var.name());
        node.body = visit(node.body);
        return make_stmt(std::move(node));
      }
      case StmtKind::kAllocate: {
        Allocate node = *stmt.as<Allocate>();
        node.body = visit(node.body);
        return make_stmt(std::move(node));
      }
      case StmtKind::kBlock:
      case StmtKind::kStore:
      case StmtKind::kEvaluate: break;
    }
    internal_check_failed("a kernel stands inside of loops", __FILE__, __LINE__);
  }

  Stmt visit(const Stmt& stmt, const For& loop) {
    if (loop.loop == ForKind::kThread) return launch(stmt);
    require_known(loop.min, "where the loop " + loop.var.name() + " begins");
    require_known(loop.extent, "where the loop " + loop.var.name() + " ends");
    For result = loop;
    result.body = visit(loop.body);
    return make_stmt(std::move(result));
  }

  // What needs no kernel around it is done by one thread, together with its neighbours of that kind.
  Stmt visit(const Seq& node) {
    std::vector<Stmt> result, alone;
    const auto launch_alone = [&] {
      if (!alone.empty()) result.push_back(launch(seq(std::exchange(alone, {}))));
    };
    for (const Stmt& stmt : node.stmts) {
      if (!has_kernel(stmt)) {
        alone.push_back(stmt);
        continue;
      }
      launch_alone();
      result.push_back(visit(stmt));
    }
    launch_alone();
    return seq(std::move(result));
  }

  void require_known(const Expr& expr, const std::string& what) const {
    if (!reads_memory(expr)) return;
    fail(
        "{}: {} is needed to launch a kernel, but is read from a tensor, which lies in the GPU's memory; bind a loop "
        "around it to an index of threads",
        function_.name, what);
  }

  Stmt launch(const Stmt& body) {
    Kernel kernel;
    kernel.name = function_.name + "_kernel" + (kernels_.empty() ? "" : fmt::format("_{}", kernels_.size()));
    kernel.grid = kernel.block = {1, 1, 1};
    kernel.body = body;
    for (const For* loop : thread_loops(body)) set_extent(kernel, *loop);
    UsedOutside used;
    used.visit(body);
    std::vector<Expr> arguments = {make_string(kernel.name)};
    for (const Extents& extents : {kernel.grid, kernel.block}) {
      arguments.insert(arguments.end(), extents.begin(), extents.end());
    }
    for (const Buffer& buffer : used.buffers) {
      kernel.params.emplace_back(buffer);
      arguments.push_back(used.written.count(buffer.get()) > 0 ? updates(buffer) : reads(buffer));
    }
    for (const Var& var : used.vars) {
      kernel.params.emplace_back(var);
      arguments.push_back(var);
    }
    for (const TensorMap& map : used.maps) {
      if (used.written.count(map.buffer.get()) == 0) continue;
      fail(
          "{}: boxes of {} are copied in the kernel that writes it, and the copy engine may see what was there before; "
          "let another kernel write it, or take memory of scope \"shared\"",
          kernel.name, map.buffer->name);
    }
    kernel.maps = std::move(used.maps);
    kernels_.push_back(std::move(kernel));
    return evaluate(Expr(std::make_shared<Call>(kVoid, std::string(kLaunch), std::move(arguments))));
  }

  const PrimFunc& function_;
  std::vector<Kernel> kernels_;
};

}  // namespace

Module split_kernels(const PrimFunc& lowered) {
  return Splitter(lowered).split();
}

std::string to_text(const Module& module) {
  return ir::to_text(module.host);
}

}  // namespace vantage::cuda
