#include "compiler/schedule/primitives/whole.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/accesses.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives/conditions.h"

namespace vantage::schedule {

namespace {

// Whether a block reads a buffer for more than to reduce into it, from an initial value of its own.
bool needs_old(const Stmt& block, const Buffer& buffer) {
  struct Search final : ir::Visitor {
    using Visitor::visit;
    const Buffer* wanted = nullptr;
    bool found = false;
    void visit_load(const ir::Load& node) override {
      Visitor::visit_load(node);
      found = found || node.buffer == *wanted;
    }
    void visit_view(const ir::View& node) override {
      Visitor::visit_view(node);
      found = found || (node.buffer == *wanted && node.touch != ir::Touch::kWrite);
    }
    void visit_block(const Block& node) override {
      if (!is_reduction(node) || !node.init) return Visitor::visit_block(node);
      for (const Expr& binding : node.bindings) visit(binding);
      visit(node.predicate);
      visit(node.init);
    }
  } search;
  search.wanted = &buffer;
  search.visit(block);
  return search.found;
}

// Why a block's own statements may not store to all that its axes say.
class Stores final : public ir::Visitor {
 public:
  Stores(const Block& block, const Buffer& buffer) : buffer_(buffer) {
    for (const ir::Axis& axis : block.axes) {
      if (axis.kind != ir::AxisKind::kReduce) extents_[axis.var.get()] = ir::as_int(axis.domain.extent);
    }
    visit(block.body);
  }
  using Visitor::visit;

  Expr condition;           // of some store; null: none
  bool leaves_out = false;  // there are fewer instances than elements, or their places have gaps

 protected:
  void visit_if(const ir::If& node) override {
    note(node.condition, node.then);
    if (node.otherwise) note(node.condition, node.otherwise);
    Visitor::visit_if(node);
  }
  void visit_block(const Block& node) override {
    for (size_t i = 0; i < node.axes.size(); ++i) {
      bindings_[node.axes[i].var.get()] = ir::substitute(node.bindings[i], bindings_);
    }
    if (!ir::is_int(node.predicate, 1)) note(node.predicate, node.body);
    Visitor::visit_block(node);
  }
  void visit_for(const For& node) override {
    extents_[node.var.get()] = ir::as_int(node.extent);
    Visitor::visit_for(node);
  }
  void visit_store(const ir::Store& node) override {
    if (node.buffer != buffer_) return;
    std::vector<Expr> indices;
    for (const Expr& index : node.indices) indices.push_back(ir::substitute(index, bindings_));
    int64_t elements = 1, instances = 1;
    for (const Expr& size : node.buffer->shape) {
      if (ir::as_int(size) == nullptr) return;
      elements *= *ir::as_int(size);
    }
    for (const auto& [var, extent] : extents_) {
      const auto is_it = [v = var](const ir::VarNode* other) { return other == v; };
      if (std::none_of(indices.begin(), indices.end(), [&](const Expr& i) { return ir::uses_var(i, is_it); })) {
        continue;
      }
      if (extent == nullptr) return;
      instances *= *extent;
    }
    leaves_out = leaves_out || instances < elements;
    for (const Expr& index : indices) {
      leaves_out = leaves_out || has_gaps(index, [&](const Var& var) -> const int64_t* {
                     const auto found = extents_.find(var.get());
                     return found == extents_.end() ? nullptr : found->second;
                   });
    }
  }

 private:
  void note(const Expr& when, const Stmt& body) {
    if (!body) return;
    for (const Access& access : accesses(body)) {
      if (access.writes_any_of(buffer_)) condition = when;
    }
  }

  const Buffer& buffer_;
  std::map<const ir::VarNode*, const int64_t*> extents_;
  ir::VarMap bindings_;  // of blocks inside
};

}  // namespace

void require_made_whole(const PrimFunc& function, const Path& path, const Buffer& buffer, std::string_view primitive) {
  if (needs_old(path.back(), buffer)) {
    fail("{}: the block {} reads {} before it writes it, and a new copy does not hold that", primitive,
         block_at(path).name, buffer->name);
  }
  require_makes_all(function, path, buffer, primitive, "all of a copy would be written");
}

void require_makes_all(const PrimFunc& function, const Path& path, const Buffer& buffer, std::string_view primitive,
                       std::string_view then) {
  const Block& block = block_at(path);
  const auto only_where = [&](const Expr& condition) {
    fail("{}: the block {} writes {} only where '{}', and {}; make all of {} in the block", primitive, block.name,
         buffer->name, ir::to_text(condition), then, buffer->name);
  };
  for (const Stmt& stmt : path) {
    if (const auto* choice = stmt.as<ir::If>()) only_where(choice->condition);
  }
  for (const Expr& condition : conditions_on_axes(function, path, 0, Concern::kAllAxes, primitive)) {
    only_where(condition);
  }
  const Stores stores(block, buffer);
  if (stores.condition.defined()) only_where(stores.condition);
  ir::Analyzer analyzer;
  analyzer.bind_sizes(function);
  bool whole = !stores.leaves_out;
  for (const ir::BufferRegion& region : ir::regions(path.front(), analyzer, {buffer}).writes) {
    for (size_t d = 0; d < region.box.size(); ++d) {
      whole = whole && analyzer.prove(region.box[d].min <= 0) &&
              analyzer.prove(region.box[d].min + region.box[d].extent >= buffer->shape[d]);
    }
  }
  if (whole) return;
  fail("{}: the block {} writes a part of {} only, and {}; make all of {} in the block", primitive, block.name,
       buffer->name, then, buffer->name);
}

}  // namespace vantage::schedule
