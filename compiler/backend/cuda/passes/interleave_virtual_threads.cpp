#include "compiler/backend/cuda/passes/interleave_virtual_threads.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// What differs among the iterations of one loop: variables, and buffers that are made inside of it.
class Differences final : public Visitor {
 public:
  explicit Differences(const For& loop) {
    vars_.insert(loop.var.get());
    struct Made final : Visitor {
      using Visitor::visit;
      std::set<const BufferNode*> found;
      void visit_allocate(const Allocate& node) override {
        found.insert(node.buffer.get());
        Visitor::visit_allocate(node);
      }
    } made;
    made.visit(loop.body);
    made_ = std::move(made.found);
    // A buffer may be read in a loop before it is written there.
    for (size_t known = 0; known != vars_.size() + buffers_.size();) {
      known = vars_.size() + buffers_.size();
      visit(loop.body);
    }
  }

  using Visitor::visit;

  bool in(const Expr& expr) const {
    struct Uses final : Visitor {
      using Visitor::visit;
      explicit Uses(const Differences& differences) : all(differences) {}
      const Differences& all;
      bool found = false;
      void visit_var(const VarNode& node) override { found = found || all.vars_.count(&node) > 0; }
      void visit_load(const Load& node) override {
        found = found || all.in(node.buffer);
        Visitor::visit_load(node);
      }
      void visit_view(const View& node) override {
        found = found || all.in(node.buffer);
        Visitor::visit_view(node);
      }
    } uses(*this);
    uses.visit(expr);
    return uses.found;
  }
  bool in(const std::vector<Expr>& exprs) const {
    return std::any_of(exprs.begin(), exprs.end(), [&](const Expr& e) { return in(e); });
  }
  bool in(const Buffer& buffer) const { return buffers_.count(buffer.get()) > 0; }

 protected:
  void visit_store(const Store& node) override {
    if (differs_ || in(node.value) || in(node.indices)) note(node.buffer);
  }
  void visit_evaluate(const Evaluate& node) override {
    const auto* call = node.call.as<Call>();
    if (call == nullptr || (!differs_ && !in(node.call))) return;
    for (const Expr& argument : call->arguments) {
      const auto* view = argument.as<View>();
      if (view != nullptr && view->touch != Touch::kRead) note(view->buffer);
    }
  }
  void visit_for(const For& node) override {
    const bool bounds = in(node.min) || in(node.extent);
    if (bounds) vars_.insert(node.var.get());
    under(bounds, [&] { visit(node.body); });
  }
  void visit_if(const If& node) override {
    under(in(node.condition), [&] {
      visit(node.then);
      if (node.otherwise) visit(node.otherwise);
    });
  }
  void visit_let(const Let& node) override {
    if (in(node.value)) vars_.insert(node.var.get());
    visit(node.body);
  }

 private:
  template <typename F>
  void under(bool differs, F&& f) {
    const bool before = differs_;
    differs_ = differs_ || differs;
    f();
    differs_ = before;
  }
  void note(const Buffer& buffer) {
    if (made_.count(buffer.get()) > 0) buffers_.insert(buffer.get());
  }

  std::set<const VarNode*> vars_;
  std::set<const BufferNode*> made_, buffers_;
  bool differs_ = false;  // whether something around may run in one iteration and not in another
};

// Buffers that differ, with a place for each virtual thread.
class Places final : public Mutator {
 public:
  Places(const Differences& differences, const For& threads)
      : differences_(differences), thread_(threads.var - threads.min), count_(threads.extent) {}
  using Mutator::visit;

 protected:
  Buffer visit_buffer(const Buffer& buffer) override {
    if (!differences_.in(buffer)) return buffer;
    Buffer& many = many_[buffer.get()];
    if (many == nullptr) {
      BufferNode node = *buffer;
      if (!node.strides.empty()) node.strides.insert(node.strides.begin(), node.shape[0] * node.strides[0]);
      node.shape.insert(node.shape.begin(), count_);
      many = make_buffer(std::move(node));
    }
    return many;
  }
  Expr visit_load(const Load& node, const Expr& self) override {
    return differences_.in(node.buffer) ? load(visit_buffer(node.buffer), placed(node.indices))
                                        : Mutator::visit_load(node, self);
  }
  Stmt visit_store(const Store& node, const Stmt& self) override {
    return differences_.in(node.buffer) ? store(visit_buffer(node.buffer), placed(node.indices), visit(node.value))
                                        : Mutator::visit_store(node, self);
  }
  Expr visit_view(const View& node, const Expr& self) override {
    if (!differences_.in(node.buffer)) return Mutator::visit_view(node, self);
    std::vector<Range> box{{thread_, make_int(thread_.dtype(), 1)}};
    for (const Range& range : node.box) box.push_back(visit(range));
    return Expr(std::make_shared<View>(visit_buffer(node.buffer), std::move(box), node.touch));
  }

 private:
  std::vector<Expr> placed(const std::vector<Expr>& indices) {
    std::vector<Expr> result = visit(indices);
    result.insert(result.begin(), thread_);
    return result;
  }

  const Differences& differences_;
  const Expr thread_, count_;
  std::unordered_map<const BufferNode*, Buffer> many_;
};

// The loop of virtual threads around each smallest statement in which they differ. Buffers have their places already.
class Distribute final : public Mutator {
 public:
  Distribute(const For& threads, const Differences& differences) : threads_(threads), differences_(differences) {}
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_store(const Store& node, const Stmt& self) override {
    return differences_.in(node.indices) || differences_.in(node.value) ? by_each(self) : self;
  }
  Stmt visit_evaluate(const Evaluate& node, const Stmt& self) override {
    return differences_.in(node.call) ? by_each(self) : self;
  }
  Stmt visit_for(const For& node, const Stmt& self) override {
    // What is one access stays one.
    const auto* store = node.loop == ForKind::kVectorized ? node.body.as<Store>() : nullptr;
    if (store != nullptr && (differences_.in(store->indices) || differences_.in(store->value))) return by_each(self);
    const bool differ = differences_.in(node.min) || differences_.in(node.extent);
    if (!differ) return Mutator::visit_for(node, self);
    if (node.loop == ForKind::kThread) {
      fail(
          "the loop {} is bound to {} and has another extent in each virtual thread of the loop {}; give it one that "
          "holds for all, with a condition inside",
          node.var.name(), node.thread, threads_.var.name());
    }
    return by_each(self);
  }
  Stmt visit_if(const If& node, const Stmt& self) override {
    return differences_.in(node.condition) ? by_each(self) : Mutator::visit_if(node, self);
  }
  Stmt visit_let(const Let& node, const Stmt& self) override {
    return differences_.in(node.value) ? by_each(self) : Mutator::visit_let(node, self);
  }

 private:
  Stmt by_each(const Stmt& stmt) const {
    For each = threads_;
    each.var = Var(threads_.var.name(), threads_.var.dtype());
    each.loop = as_int(each.extent) != nullptr ? ForKind::kUnrolled : ForKind::kSerial;
    each.thread.clear();
    each.body = substitute(stmt, {{threads_.var.get(), each.var}});
    return make_stmt(std::move(each));
  }

  const For& threads_;
  const Differences& differences_;
};

class Interleave final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    const Stmt inner = Mutator::visit_for(node, self);
    const For& loop = *inner.as<For>();
    if (loop.loop != ForKind::kVirtualThread) return inner;
    const Differences differences(loop);
    return Distribute(loop, differences).visit(Places(differences, loop).visit(loop.body));
  }
};

}  // namespace

PrimFunc interleave_virtual_threads(PrimFunc function) {
  function.body = Interleave().visit(function.body);
  return function;
}

}  // namespace vantage::cuda
