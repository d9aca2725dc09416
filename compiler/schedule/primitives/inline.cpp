// compute_inline and reverse_compute_inline: one block's formula put into another's.
#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

void forget_buffer(PrimFunc& function, const Buffer& buffer) {
  auto& list = function.allocations;
  list.erase(std::remove(list.begin(), list.end(), buffer), list.end());
}

// The formula of a block that is one store of values from elsewhere.
const ir::Store& formula(const Block& block, std::string_view primitive) {
  const auto* store = block.body.as<ir::Store>();
  if (!is_complete(block) || store == nullptr) {
    fail("{}: the block {} is no formula of one element; reductions and blocks of several statements stay", primitive,
         block.name);
  }
  if (block.annotations.count("tensor_intrinsic") > 0) fail("{}: the block {} is tensorized", primitive, block.name);
  return *store;
}

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
  bool only_block = blocks_below(function.body).size() == 1;
  if (only_block) fail("compute_inline: nothing reads {}, which the block {} makes", buffer->name, name);
  replace(result, path.back(), {});
  if (has_view_of(result.body, buffer)) {
    fail("compute_inline: an instruction reads {}, which must therefore be in memory", buffer->name);
  }
  result.body = InlineLoads(buffer, axes, store.value).visit(result.body);
  forget_buffer(result, buffer);
  function = std::move(result);
}

void reverse_compute_inline(PrimFunc& function, const std::string& name) {
  const Path path = path_to_block(function, name);
  require_outermost(path, "reverse_compute_inline");
  const Block& block = block_at(path);
  const ir::Store& consumer = formula(block, "reverse_compute_inline");
  if (writers(function, path, consumer.buffer).size() != 1) {
    fail("reverse_compute_inline: other blocks than {} write {} as well", name, consumer.buffer->name);
  }
  const auto is_made_here = [&](const Buffer& b) { return !writers(function, path, b).empty(); };
  std::vector<Buffer> inputs = read_by(block);
  inputs.erase(std::remove_if(inputs.begin(), inputs.end(), [&](const Buffer& b) { return !is_made_here(b); }),
               inputs.end());
  if (inputs.size() != 1) {
    fail("reverse_compute_inline: the block {} reads {} computed buffers, expected one", name, inputs.size());
  }
  const Buffer input = inputs.front();
  const std::vector<Stmt> producers = writers(function, path, input);
  if (function.is_param(input) || producers.size() != 1 || readers(function, path, input).size() != 1) {
    fail("reverse_compute_inline: {} must be made by one block and read by {} only", input->name, name);
  }
  const Block& producer = *producers.front().as<Block>();
  const ir::Store& made = formula(producer, "reverse_compute_inline");

  // The consumer's axes in terms of the producer's indices.
  struct Search final : ir::Visitor {
    using Visitor::visit;
    const ir::BufferNode* wanted = nullptr;
    std::vector<const ir::Load*> loads;
    void visit_load(const ir::Load& node) override {
      Visitor::visit_load(node);
      if (node.buffer.get() == wanted) loads.push_back(&node);
    }
  } search;
  search.wanted = input.get();
  search.visit(block.body);
  ir::VarMap axes;
  for (const ir::Load* load : search.loads) {
    for (size_t d = 0; d < load->indices.size(); ++d) {
      const Var axis = Var::of(load->indices[d]);
      const bool fits = axis.defined()
                            ? axes.try_emplace(axis.get(), made.indices[d]).first->second.same_as(made.indices[d])
                            : ir::structural_equal(load->indices[d], made.indices[d]);
      if (!fits) {
        fail("reverse_compute_inline: the block {} reads {} at '{}', expected one axis for each dimension", name,
             input->name, ir::to_text(load->indices[d]));
      }
    }
  }
  for (const ir::Axis& axis : block.axes) {
    if (axes.count(axis.var.get()) > 0) continue;
    if (!ir::is_int(axis.domain.extent, 1)) {
      fail("reverse_compute_inline: the axis {} of the block {} does not index {}", axis.var.name(), name, input->name);
    }
    axes[axis.var.get()] = axis.domain.min;
  }
  // The whole of the input must be what the consumer covers.
  ir::Analyzer analyzer = analyzer_for(function, path);
  for (const ir::Load* load : search.loads) {
    for (size_t d = 0; d < load->indices.size(); ++d) {
      for (const ir::Axis& axis : block.axes) {
        if (axis.var.same_as(load->indices[d]) && !analyzer.prove(axis.domain.extent == input->shape[d])) {
          fail("reverse_compute_inline: the block {} covers only a part of {}", name, input->name);
        }
      }
    }
  }
  class UseValue final : public ir::Mutator {
   public:
    UseValue(const Buffer& buffer, const Expr& value) : buffer_(buffer), value_(value) {}
    using Mutator::visit;

   protected:
    Expr visit_load(const ir::Load& node, const Expr& self) override {
      return node.buffer == buffer_ ? value_ : Mutator::visit_load(node, self);
    }

   private:
    const Buffer& buffer_;
    const Expr& value_;
  };
  std::vector<Expr> indices;
  for (const Expr& index : consumer.indices) indices.push_back(ir::substitute(index, axes));
  Block merged = producer;
  const Expr value = UseValue(input, made.value).visit(consumer.value);
  merged.body = ir::store(consumer.buffer, std::move(indices), ir::substitute(value, axes));
  PrimFunc result = function;
  replace(result, producers.front(), make_stmt(std::move(merged)));
  replace(result, path.back(), {});
  forget_buffer(result, input);
  function = std::move(result);
}

}  // namespace vantage::schedule
