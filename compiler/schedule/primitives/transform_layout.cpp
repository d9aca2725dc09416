#include <algorithm>

#include "base/error.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/index_map.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

// Puts a buffer in the place of another, its elements where a map says.
class Rewrite final : public ir::Mutator {
 public:
  Rewrite(const PrimFunc& function, const Buffer& old, const Buffer& changed, const IndexMap& map)
      : old_(old), changed_(changed), map_(map) {
    analyzer_.bind_sizes(function);
  }
  using Mutator::visit;

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    analyzer_.bind(node.var, {node.min, node.extent});
    return Mutator::visit_for(node, self);
  }
  Stmt visit_block(const Block& node, const Stmt& self) override {
    for (const ir::Axis& axis : node.axes) analyzer_.bind(axis.var, axis.domain);
    return Mutator::visit_block(node, self);
  }
  Expr visit_load(const ir::Load& node, const Expr& self) override {
    if (node.buffer != old_) return Mutator::visit_load(node, self);
    return ir::load(changed_, map_.place(visit(node.indices), analyzer_));
  }
  Stmt visit_store(const ir::Store& node, const Stmt& self) override {
    if (node.buffer != old_) return Mutator::visit_store(node, self);
    return ir::store(changed_, map_.place(visit(node.indices), analyzer_), visit(node.value));
  }
  Buffer visit_buffer(const Buffer& buffer) override { return buffer == old_ ? changed_ : buffer; }
  Expr visit_view(const ir::View& node, const Expr& self) override {
    if (node.buffer == old_) {
      fail(
          "transform_layout: an instruction or a function of your own takes a part of {}, which would lie otherwise "
          "then; do it before tensorize, and cache what a function takes",
          old_->name);
    }
    return Mutator::visit_view(node, self);
  }

 private:
  const Buffer& old_;
  const Buffer& changed_;
  const IndexMap& map_;
  ir::Analyzer analyzer_;
};

}  // namespace

void transform_layout(PrimFunc& function, const std::string& name, const std::string& wanted, const std::string& map) {
  const Path path = path_to_block(function, name);
  const Block& block = block_at(path);
  const Buffer buffer =
      wanted.empty() ? single_output(block, "transform_layout") : touched_buffer(block, wanted, "transform_layout");
  if (function.is_param(buffer)) {
    const bool written = !writers(function, path, buffer).empty();
    fail("transform_layout: {} belongs to the caller, who decides how it lies in memory; {}", buffer->name,
         written ? "cache_write the block that makes it, and change the copy" : "cache_read it, and change the copy");
  }
  for (const Stmt& writer : all_blocks(function)) {
    const Block& other = *writer.as<Block>();
    const std::vector<Buffer> outputs = written_by(other);
    if (std::find(outputs.begin(), outputs.end(), buffer) == outputs.end()) continue;
    if (other.annotations.count("storage_align_axis") > 0) {
      fail("transform_layout: storage_align of the block {} names a dimension of {}; do it after transform_layout",
           other.name, buffer->name);
    }
  }
  const IndexMap index_map(map, buffer->shape);
  ir::BufferNode node = *buffer;
  node.shape = index_map.shape();
  node.strides.clear();
  const Buffer changed = ir::make_buffer(std::move(node));
  const Stmt body = Rewrite(function, buffer, changed, index_map).visit(function.body);
  std::replace(function.allocations.begin(), function.allocations.end(), buffer, changed);
  function.body = body;
}

}  // namespace vantage::schedule
