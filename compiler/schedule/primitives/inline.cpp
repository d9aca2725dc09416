// compute_inline: one block's formula put into those that read it.
#include <algorithm>

#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/accesses.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/movement.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/formula.h"

namespace vantage::schedule {

namespace {

// Loads of a buffer replaced by the formula at their indices.
class InlineLoads final : public ir::Mutator {
 public:
  InlineLoads(const Buffer& buffer, std::vector<const ir::VarNode*> axes, Expr value)
      : buffer_(buffer), axes_(std::move(axes)), value_(std::move(value)) {}
  using Mutator::visit;

 protected:
  Expr visit_load(const ir::Load& node, const Expr& self) override {
    const Expr visited = Mutator::visit_load(node, self);
    if (node.buffer != buffer_) return visited;
    ir::VarMap map;
    for (size_t d = 0; d < axes_.size(); ++d) {
      if (axes_[d] != nullptr) map[axes_[d]] = visited.as<ir::Load>()->indices[d];
    }
    return ir::substitute(value_, map);
  }

 private:
  const Buffer& buffer_;
  std::vector<const ir::VarNode*> axes_;  // per dimension
  Expr value_;
};

bool has_view_of(const Stmt& stmt, const Buffer& buffer) {
  struct Search final : ir::Visitor {
    using Visitor::visit;
    const ir::BufferNode* wanted = nullptr;
    bool found = false;
    void visit_view(const ir::View& node) override { found = found || node.buffer.get() == wanted; }
  } search;
  search.wanted = buffer.get();
  search.visit(stmt);
  return search.found;
}

}  // namespace

void compute_inline(PrimFunc& function, const std::string& name) {
  const Path path = path_to_block(function, name);
  require_outermost(path, "compute_inline");
  const Block& block = block_at(path);
  const ir::Store& store = formula(block, "compute_inline");
  const Buffer& buffer = store.buffer;
  if (function.is_param(buffer)) {
    fail("compute_inline: the block {} makes {}, which the caller wants", name, buffer->name);
  }
  if (writers(function, path, buffer).size() != 1) {
    fail("compute_inline: other blocks than {} write {} as well", name, buffer->name);
  }
  std::vector<Path> readers;
  for (const Access& access : accesses(function, path)) {
    if (access.stmt.same_as(path.back())) continue;
    if (access.writes_any_of(buffer)) {
      fail("compute_inline: {} writes {}, which the block {} makes", described(access), buffer->name, name);
    }
    if (!access.reads_any_of(buffer)) continue;
    readers.push_back(path_to_stmt(function, access.stmt));
    require_defined_at(path, readers.back(), "compute_inline");
  }
  if (readers.empty()) fail("compute_inline: nothing reads {}, which the block {} makes", buffer->name, name);
  require_same_later(function, path, readers, buffer, "compute_inline");
  std::vector<const ir::VarNode*> axes;
  for (int position : output_axes(block, buffer, "compute_inline")) {
    axes.push_back(position < 0 ? nullptr : block.axes[static_cast<size_t>(position)].var.get());
  }
  for (const ir::Axis& axis : block.axes) {
    const bool indexed = std::find(axes.begin(), axes.end(), axis.var.get()) != axes.end();
    if (!indexed && !ir::is_int(axis.domain.extent, 1) && ir::uses_var(store.value, axis.var)) {
      fail("compute_inline: the block {} has the axis {}, which {} is not indexed by", name, axis.var.name(),
           buffer->name);
    }
  }
  PrimFunc result = function;
  replace(result, path.back(), {});
  if (has_view_of(result.body, buffer)) {
    fail("compute_inline: an instruction reads {}, which must therefore be in memory", buffer->name);
  }
  result.body = InlineLoads(buffer, axes, store.value).visit(result.body);
  forget_buffer(result, buffer);
  function = std::move(result);
}

}  // namespace vantage::schedule
