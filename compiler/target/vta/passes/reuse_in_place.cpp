#include "compiler/target/vta/passes/reuse_in_place.h"

#include <algorithm>

#include "compiler/target/vta/passes/element_nest.h"
#include "compiler/target/vta/scopes.h"
#include "compiler/tir/structural.h"
#include "compiler/tir/substitute.h"
#include "compiler/tir/visitor.h"

namespace vantage::compiler {

using namespace tir;

namespace {

struct Uses final : Visitor {
  using Visitor::visit;
  std::vector<const Load*> loads;
  std::vector<const BufferNode*> others;
  void visit_load(const Load& node) override {
    Visitor::visit_load(node);
    loads.push_back(&node);
  }
  void visit_store(const Store& node) override {
    Visitor::visit_store(node);
    others.push_back(node.buffer.get());
  }
  void visit_view(const View& node) override {
    Visitor::visit_view(node);
    others.push_back(node.buffer.get());
  }
};

bool uses(const Stmt& stmt, const Buffer& buffer) {
  Uses search;
  search.visit(stmt);
  return std::any_of(search.loads.begin(), search.loads.end(), [&](const Load* l) { return l->buffer == buffer; }) ||
         std::find(search.others.begin(), search.others.end(), buffer.get()) != search.others.end();
}

// Buffers allocated together around a sequence.
class ReuseInPlace final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_allocate(const Allocate&, const Stmt& self) override {
    std::vector<Allocate> allocations;
    Stmt body = self;
    while (const auto* a = body.as<Allocate>()) {
      allocations.push_back(*a);
      body = a->body;
    }
    body = visit(body);
    std::vector<Stmt> stmts = {body};
    if (const auto* sequence = body.as<Seq>()) stmts = sequence->stmts;
    for (size_t i = 0; i < stmts.size(); ++i) merge_at(stmts, i, allocations);
    body = seq(std::move(stmts));
    for (size_t i = allocations.size(); i-- > 0;) {
      body = make_stmt(Allocate(allocations[i].buffer, body, allocations[i].annotations));
    }
    return body;
  }

 private:
  static bool is_accumulator(const Buffer& buffer) { return scratchpad_of(buffer->scope) == isa::Memory::kAcc; }

  static void merge_at(std::vector<Stmt>& stmts, size_t i, std::vector<Allocate>& allocations) {
    const LoopNest nest = peel(stmts[i]);
    const auto* made = nest.body.as<Store>();
    if (made == nullptr || !is_accumulator(made->buffer)) return;
    const Buffer target = made->buffer;
    const auto allocated = [&](const Buffer& buffer) {
      return std::find_if(allocations.begin(), allocations.end(),
                          [&](const Allocate& a) { return a.buffer == buffer; });
    };
    const auto target_allocation = allocated(target);
    if (target_allocation == allocations.end()) return;
    for (size_t before = 0; before < i; ++before) {
      if (uses(stmts[before], target)) return;
    }
    Uses inside;
    inside.visit(stmts[i]);
    for (const Load* candidate : inside.loads) {
      const Buffer source = candidate->buffer;
      const bool fits = source != target && allocated(source) != allocations.end() && is_accumulator(source) &&
                        structural_equal(source->shape[0], target->shape[0]);
      if (!fits) continue;
      const bool same_elements = std::all_of(inside.loads.begin(), inside.loads.end(), [&](const Load* l) {
        return l->buffer != source || std::equal(l->indices.begin(), l->indices.end(), made->indices.begin(),
                                                 [](const Expr& a, const Expr& b) { return structural_equal(a, b); });
      });
      const bool needed_later = std::any_of(stmts.begin() + static_cast<ptrdiff_t>(i) + 1, stmts.end(),
                                            [&](const Stmt& s) { return uses(s, source); });
      if (!same_elements || needed_later) continue;
      for (Stmt& stmt : stmts) stmt = substitute(stmt, {}, {{target.get(), source}});
      std::vector<Allocate> kept;
      for (const Allocate& a : allocations) {
        if (a.buffer != target) kept.push_back(a);
      }
      allocations.swap(kept);
      return;
    }
  }
};

}  // namespace

PrimFunc reuse_in_place(PrimFunc function) {
  function.body = ReuseInPlace().visit(function.body);
  return function;
}

}  // namespace vantage::compiler
