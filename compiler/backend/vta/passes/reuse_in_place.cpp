#include "compiler/backend/vta/passes/reuse_in_place.h"

#include <algorithm>
#include <optional>

#include "compiler/backend/vta/passes/element_nest.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::vta {

using namespace ir;

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

// The statements that a sequence runs one after another, those under conditions included.
void flatten(const Stmt& stmt, std::vector<Stmt>& list) {
  const auto* condition = stmt.as<If>();
  if (const auto* sequence = stmt.as<Seq>()) {
    for (const Stmt& part : sequence->stmts) flatten(part, list);
  } else if (condition != nullptr && !condition->otherwise) {
    flatten(condition->then, list);
  } else {
    list.push_back(stmt);
  }
}

// Notes on a nest what it makes, for messages.
class Annotate final : public Mutator {
 public:
  Annotate(const Stmt& nest, const std::string& made) : nest_(nest), made_(made) {}
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (!self.same_as(nest_)) return Mutator::visit_for(node, self);
    For result = node;
    result.annotations[std::string(kMakesNote)] = make_string(made_);
    return make_stmt(std::move(result));
  }

 private:
  const Stmt& nest_;
  const std::string& made_;
};

bool is_accumulator(const Buffer& buffer) {
  return scratchpad_of(buffer->scope) == isa::Memory::kAcc;
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
    std::vector<Stmt> stmts;
    flatten(body, stmts);
    for (size_t i = 0; i < stmts.size(); ++i) {
      const auto found = replaceable(stmts, i, allocations);
      if (!found) continue;
      body = Annotate(stmts[i], found->target->name).visit(body);
      body = substitute(body, {}, {{found->target.get(), found->source}});
      allocations.erase(std::find_if(allocations.begin(), allocations.end(),
                                     [&](const Allocate& a) { return a.buffer == found->target; }));
      stmts.clear();
      flatten(body, stmts);
    }
    for (size_t i = allocations.size(); i-- > 0;) {
      body = make_stmt(Allocate(allocations[i].buffer, body, allocations[i].annotations));
    }
    return body;
  }

 private:
  struct Replacement {
    Buffer target, source;
  };

  // What statement i makes can lie where the last use of something else is: the buffers of both.
  static std::optional<Replacement> replaceable(const std::vector<Stmt>& stmts, size_t i,
                                                const std::vector<Allocate>& allocations) {
    const LoopNest nest = peel(stmts[i]);
    const auto* made = nest.body.as<Store>();
    if (made == nullptr || !is_accumulator(made->buffer)) return std::nullopt;
    const Buffer target = made->buffer;
    const auto allocated = [&](const Buffer& buffer) {
      return std::any_of(allocations.begin(), allocations.end(), [&](const Allocate& a) { return a.buffer == buffer; });
    };
    const auto at = stmts.begin() + static_cast<ptrdiff_t>(i);
    const auto used = [&](auto begin, auto end, const Buffer& buffer) {
      return std::any_of(begin, end, [&](const Stmt& s) { return uses(s, buffer); });
    };
    if (!allocated(target) || used(stmts.begin(), at, target)) return std::nullopt;
    Uses inside;
    inside.visit(stmts[i]);
    for (const Load* candidate : inside.loads) {
      const Buffer source = candidate->buffer;
      const bool fits = source != target && allocated(source) && is_accumulator(source) &&
                        structural_equal(source->shape[0], target->shape[0]);
      if (!fits) continue;
      const bool same_elements = std::all_of(inside.loads.begin(), inside.loads.end(), [&](const Load* l) {
        return l->buffer != source || std::equal(l->indices.begin(), l->indices.end(), made->indices.begin(),
                                                 [](const Expr& a, const Expr& b) { return structural_equal(a, b); });
      });
      if (same_elements && !used(at + 1, stmts.end(), source)) return Replacement{target, source};
    }
    return std::nullopt;
  }
};

}  // namespace

PrimFunc reuse_in_place(PrimFunc function) {
  function.body = ReuseInPlace().visit(function.body);
  return function;
}

}  // namespace vantage::vta
