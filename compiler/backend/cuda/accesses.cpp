#include "compiler/backend/cuda/accesses.h"

#include <algorithm>

#include "compiler/ir/intrinsics.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// Replaces a variable in what an access says of itself.
void substitute_in(Access& access, const VarMap& values) {
  for (Expr& index : access.indices) index = substitute(index, values);
  for (Expr& condition : access.conditions) condition = substitute(condition, values);
  for (Expr& condition : access.of_warp) condition = substitute(condition, values);
  for (BoundVar& inner : access.inner) inner.range = substitute(inner.range, values);
}

class Collector final : public Visitor {
 public:
  using Visitor::visit;
  std::vector<Access> found;

 protected:
  void visit_load(const Load& node) override {
    Visitor::visit_load(node);
    add(node.buffer, false, node.indices, {});
  }
  void visit_store(const Store& node) override {
    const size_t from = found.size();
    Visitor::visit_store(node);
    const bool is_update = std::any_of(found.begin() + static_cast<ptrdiff_t>(from), found.end(), [&](const Access& a) {
      return a.buffer == node.buffer && std::equal(a.indices.begin(), a.indices.end(), node.indices.begin(),
                                                   [](const Expr& x, const Expr& y) { return structural_equal(x, y); });
    });
    add(node.buffer, true, node.indices, {});
    found.back().is_update = is_update;
  }
  void visit_view(const View& node) override {
    Visitor::visit_view(node);
    std::vector<Expr> indices;
    std::vector<BoundVar> inside;
    for (const Range& range : node.box) {
      if (is_int(range.extent, 1)) {
        indices.push_back(range.min);
        continue;
      }
      const Var offset("offset", range.min.dtype());
      inside.push_back({offset, {make_zero(offset.dtype()), range.extent}});
      indices.push_back(range.min + offset);
    }
    if (node.touch != Touch::kWrite) add(node.buffer, false, indices, inside);
    if (node.touch != Touch::kRead) {
      add(node.buffer, true, indices, inside);
      found.back().is_update = node.touch == Touch::kReadWrite;
    }
  }
  void visit_select(const Select& node) override {
    visit(node.condition);
    under(node.condition, [&] { visit(node.if_true); });
    under(!node.condition, [&] { visit(node.if_false); });
  }
  void visit_if(const If& node) override {
    visit(node.condition);
    under(node.condition, [&] { visit(node.then); });
    if (node.otherwise) under(!node.condition, [&] { visit(node.otherwise); });
  }
  void visit_for(const For& node) override {
    const size_t from = found.size();
    Visitor::visit_for(node);
    if (node.loop != ForKind::kThread) leave(found, from, {node.var, {node.min, node.extent}});
  }
  void visit_let(const Let& node) override {
    const size_t from = found.size();
    Visitor::visit_let(node);
    leave(found, from, node.var, node.value);
  }

 private:
  template <typename Visit>
  void under(Expr condition, const Visit& visit) {
    if (const auto* hint = condition.as<Call>(); hint != nullptr && hint->function == kLikely) {
      condition = hint->arguments[0];
    }
    const size_t conditions = conditions_.size(), of_warp = of_warp_.size();
    for (const Expr& part : conjuncts(condition)) {
      const auto* warp = part.as<Call>();
      if (warp != nullptr && warp->function == kByWarp) {
        of_warp_.push_back(warp->arguments[0]);
      } else {
        conditions_.push_back(part);
      }
    }
    visit();
    conditions_.resize(conditions);
    of_warp_.resize(of_warp);
  }
  void add(const Buffer& buffer, bool is_write, std::vector<Expr> indices, std::vector<BoundVar> inner) {
    found.push_back({buffer, is_write, false, std::move(indices), conditions_, std::move(inner), of_warp_});
  }

  std::vector<Expr> conditions_, of_warp_;
};

}  // namespace

std::vector<Access> accesses_of(const Stmt& stmt) {
  Collector collector;
  collector.visit(stmt);
  return std::move(collector.found);
}

std::pair<Access, Access> as_pair(Access a, Access b) {
  if (!a.of_warp.empty() && !b.of_warp.empty()) {
    for (Access* access : {&a, &b}) {
      access->conditions.insert(access->conditions.end(), access->of_warp.begin(), access->of_warp.end());
    }
  }
  return {std::move(a), std::move(b)};
}

void leave(std::vector<Access>& accesses, size_t from, const BoundVar& loop) {
  BoundVar inner = loop;
  if (as_int(loop.range.min) == nullptr) {
    // Where it begins may be another place for another thread: counted from there, its range is the same for all.
    inner = {Var(loop.var.name(), loop.var.dtype()), {make_zero(loop.var.dtype()), loop.range.extent}};
    leave(accesses, from, loop.var, loop.range.min + inner.var);
  }
  for (size_t i = from; i < accesses.size(); ++i) accesses[i].inner.push_back(inner);
}

void leave(std::vector<Access>& accesses, size_t from, const Var& defined, const Expr& value) {
  for (size_t i = from; i < accesses.size(); ++i) substitute_in(accesses[i], {{defined.get(), value}});
}

}  // namespace vantage::cuda
