#include "compiler/ir/verify.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/verify_accesses.h"
#include "compiler/ir/verify_types.h"
#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

class Messages {
 public:
  void add(std::string message) {
    if (std::find(all_.begin(), all_.end(), message) == all_.end()) all_.push_back(std::move(message));
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

// Everything that a function defines, and where: "its loop", "its block C".
class Definitions final : public Visitor {
 public:
  Definitions(const PrimFunc& function, Messages& messages) : messages_(messages) {
    for (const Param& param : function.params) {
      if (const auto* var = std::get_if<Var>(&param)) define(*var, "the parameters");
    }
    for (const Buffer& buffer : function.buffers()) {
      for (const auto& list : {buffer->shape, buffer->strides}) {
        for (const Expr& size : list) {
          // Several parameters may have one size in common, which may be a parameter itself.
          if (const Var var = Var::of(size); var.defined()) places_.emplace(var.get(), "the parameters");
        }
      }
    }
    for (const Buffer& buffer : function.buffers()) define(buffer, "the parameters");
    for (const Buffer& buffer : function.allocations) define(buffer, "the allocations");
    if (function.body) visit(function.body);
  }
  using Visitor::visit;

  // Null for what nothing defines.
  const std::string* place_of(const void* what) const {
    const auto found = places_.find(what);
    return found == places_.end() ? nullptr : &found->second;
  }

 protected:
  void visit_for(const For& node) override {
    define(node.var, "its loop");
    Visitor::visit_for(node);
  }
  void visit_block(const Block& node) override {
    if (!blocks_.insert(node.name).second) {
      messages_.add(fmt::format("two blocks are named {}; give each a name of its own", node.name));
    }
    for (const Axis& axis : node.axes) define(axis.var, "its block " + node.name);
    Visitor::visit_block(node);
  }
  void visit_let(const Let& node) override {
    define(node.var, "its let");
    Visitor::visit_let(node);
  }
  void visit_allocate(const Allocate& node) override {
    define(node.buffer, "its allocation");
    Visitor::visit_allocate(node);
  }

 private:
  void define(const Var& var, std::string place) { define(var.get(), "variable", var.name(), std::move(place)); }
  void define(const Buffer& buffer, std::string place) {
    define(buffer.get(), "buffer", buffer->name, std::move(place));
  }
  void define(const void* what, std::string_view kind, const std::string& name, std::string place) {
    const auto [known, fresh] = places_.emplace(what, place);
    if (fresh) return;
    messages_.add(fmt::format("the {} {} is defined twice, in {} and in {}; give each one of its own", kind, name,
                              known->second, place));
  }

  Messages& messages_;
  std::unordered_map<const void*, std::string> places_;
  std::unordered_set<std::string> blocks_;
};

// Uses inside of what defines them, and types.
class Uses final : public Visitor {
 public:
  Uses(const PrimFunc& function, const Definitions& definitions, Messages& messages)
      : function_(function), definitions_(definitions), messages_(messages), where_(function.name) {
    for (const Param& param : function.params) {
      if (const auto* var = std::get_if<Var>(&param)) open_.insert(var->get());
    }
    for (const Buffer& buffer : function.buffers()) {
      for (const auto& list : {buffer->shape, buffer->strides}) {
        for (const Expr& size : list) {
          if (const Var var = Var::of(size); var.defined()) open_.insert(var.get());
        }
      }
    }
  }

  void check() {
    for (const auto& list : {function_.buffers(), function_.allocations}) {
      for (const Buffer& buffer : list) check_definition(buffer);
    }
    if (function_.body) {
      visit(function_.body);
      if (std::string nested = nested_threads(function_.body); !nested.empty()) messages_.add(std::move(nested));
    } else {
      messages_.add(fmt::format("the function {} has no body", function_.name));
    }
  }

  using Visitor::visit;
  void visit(const Expr& expr) override {
    Visitor::visit(expr);
    add_if_any(wrong_type(expr));
  }

 protected:
  void visit_var(const VarNode& node) override {
    if (open_.count(&node) != 0) return;
    if (const std::string* place = definitions_.place_of(&node)) {
      messages_.add(fmt::format("{} uses {} outside of {}", where_, node.name, *place));
    } else {
      messages_.add(fmt::format("{} uses the variable {}, which nothing defines; make it a parameter of {}", where_,
                                node.name, function_.name));
    }
  }
  void visit_load(const Load& node) override {
    Visitor::visit_load(node);
    use(node.buffer, "reads");
  }
  void visit_view(const View& node) override {
    Visitor::visit_view(node);
    use(node.buffer, node.touch == Touch::kRead ? "reads" : "writes");
  }
  void visit_store(const Store& node) override {
    Visitor::visit_store(node);
    use(node.buffer, "writes");
    add_if_any(wrong_type(node));
  }
  void visit_if(const If& node) override {
    check_bool("condition", node.condition);
    Visitor::visit_if(node);
  }
  void visit_for(const For& node) override {
    visit(node.min);
    visit(node.extent);
    const auto check = [&](std::string_view which, const Expr& bound) {
      if (bound.dtype() == node.var.dtype() && bound.dtype().is_signed()) return;
      messages_.add(fmt::format("the loop {} of type {} has the {} '{}' of type {}; make both one integer type",
                                node.var.name(), name(node.var.dtype()), which, to_text(bound), name(bound.dtype())));
    };
    check("beginning", node.min);
    check("extent", node.extent);
    check_thread(node);
    inside(node.var.get(), [&] { visit(node.body); });
  }
  void visit_let(const Let& node) override {
    visit(node.value);
    if (node.value.dtype() != node.var.dtype()) {
      messages_.add(fmt::format("{} lets {} of type {} be '{}' of type {}; cast it", where_, node.var.name(),
                                name(node.var.dtype()), to_text(node.value), name(node.value.dtype())));
    }
    inside(node.var.get(), [&] { visit(node.body); });
  }
  void visit_allocate(const Allocate& node) override {
    check_definition(node.buffer);
    inside(node.buffer.get(), [&] { visit(node.body); });
  }
  void visit_block(const Block& node) override {
    const std::string outside = std::exchange(where_, node.name);
    for (const Expr& binding : node.bindings) visit(binding);
    if (node.bindings.size() != node.axes.size()) {
      messages_.add(fmt::format("the block {} has {} axes and {} bindings, expected one for each", node.name,
                                node.axes.size(), node.bindings.size()));
    }
    for (size_t i = 0; i < node.axes.size(); ++i) {
      const Axis& axis = node.axes[i];
      visit(axis.domain.min);
      visit(axis.domain.extent);
      check_axis(axis, "domain beginning", axis.domain.min);
      check_axis(axis, "domain extent", axis.domain.extent);
      if (i < node.bindings.size()) check_axis(axis, "binding", node.bindings[i]);
      open_.insert(axis.var.get());
    }
    check_bool("predicate", node.predicate);
    visit(node.predicate);
    if (node.init) visit(node.init);
    visit(node.body);
    for (const Axis& axis : node.axes) open_.erase(axis.var.get());
    where_ = outside;
  }

 private:
  template <typename Action>
  void inside(const void* what, const Action& action) {
    open_.insert(what);
    action();
    open_.erase(what);
  }

  void add_if_any(const std::string& wrong) {
    if (!wrong.empty()) messages_.add(where_ + ": " + wrong);
  }

  void use(const Buffer& buffer, std::string_view does) {
    if (open_.count(buffer.get()) != 0) return;
    if (const std::string* place = definitions_.place_of(buffer.get())) {
      messages_.add(fmt::format("{} {} {} outside of {}", where_, does, buffer->name, *place));
    } else {
      messages_.add(fmt::format("{} {} {}, which is neither a parameter nor allocated", where_, does, buffer->name));
    }
  }

  void check_definition(const Buffer& buffer) {
    const std::string outside = std::exchange(where_, "the buffer " + buffer->name);
    for (const auto& list : {buffer->shape, buffer->strides}) {
      for (const Expr& size : list) visit(size);
    }
    where_ = outside;
    try {
      check_buffer(*buffer);
    } catch (const Error& error) {
      messages_.add(error.what());
    }
    // One that an Allocate defines is closed again by it.
    open_.insert(buffer.get());
  }

  void check_bool(std::string_view what, const Expr& condition) {
    if (condition.dtype().is_bool()) return;
    messages_.add(fmt::format("{} has the {} '{}' of type {}, expected bool", where_, what, to_text(condition),
                              name(condition.dtype())));
  }

  void check_axis(const Axis& axis, std::string_view what, const Expr& value) {
    if (value.dtype() == axis.var.dtype() && value.dtype().is_signed()) return;
    messages_.add(
        fmt::format("the axis {} of {} is of type {} and has the {} '{}' of type {}; make both one integer type",
                    axis.var.name(), where_, name(axis.var.dtype()), what, to_text(value), name(value.dtype())));
  }

  void check_thread(const For& loop) {
    if (loop.loop == ForKind::kThread && !is_thread_axis(loop.thread)) messages_.add(wrong_axis(loop));
    const bool may_have = loop.loop == ForKind::kThread || loop.loop == ForKind::kVirtualThread;
    if (!may_have && !loop.thread.empty()) {
      messages_.add(fmt::format("the loop {} has the tag '{}' of a thread, but is not bound to it", loop.var.name(),
                                loop.thread));
    }
  }

  const PrimFunc& function_;
  const Definitions& definitions_;
  Messages& messages_;
  std::string where_;
  std::unordered_set<const void*> open_;  // variables and buffers that may be used here
};

}  // namespace

std::vector<std::string> verify(const PrimFunc& function) {
  Messages messages;
  const Definitions definitions(function, messages);
  Uses(function, definitions, messages).check();
  auto result = messages.take();
  return result.empty() ? verify_accesses(function) : result;
}

void require_valid(const PrimFunc& function) {
  const auto messages = verify(function);
  if (!messages.empty()) throw Error(messages.front());
}

}  // namespace vantage::ir
