#include "compiler/schedule/dependence.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::schedule {

namespace {

Stmt scope_of(const PrimFunc& function, const Path& path) {
  Stmt scope = function.body;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (path[i].kind() == ir::StmtKind::kBlock) scope = path[i].as<Block>()->body;
  }
  return scope;
}

template <typename Function>
std::vector<Stmt> blocks_with(const Stmt& scope, const Buffer& buffer, const Function& buffers_of) {
  std::vector<Stmt> result;
  for (const Stmt& block : blocks_below(scope)) {
    const std::vector<Buffer> list = buffers_of(*block.as<Block>());
    if (std::find(list.begin(), list.end(), buffer) != list.end()) result.push_back(block);
  }
  return result;
}

struct Stores final : ir::Visitor {
  using Visitor::visit;
  std::vector<const ir::Store*> found;
  void visit_store(const ir::Store& node) override { found.push_back(&node); }
};

}  // namespace

std::vector<Buffer> written_by(const Block& block) {
  return ir::block_buffers(block).writes;
}

std::vector<Buffer> read_by(const Block& block) {
  return ir::block_buffers(block).reads;
}

std::vector<Stmt> writers(const PrimFunc& function, const Path& path, const Buffer& buffer) {
  return blocks_with(scope_of(function, path), buffer, written_by);
}

std::vector<Stmt> readers(const PrimFunc& function, const Path& path, const Buffer& buffer) {
  return blocks_with(scope_of(function, path), buffer, read_by);
}

Buffer single_output(const Block& block, std::string_view primitive) {
  const std::vector<Buffer> outputs = written_by(block);
  if (outputs.size() != 1) {
    fail("{}: the block {} writes {} buffers, expected one", primitive, block.name, outputs.size());
  }
  return outputs.front();
}

Buffer touched_buffer(const Block& block, std::string_view name, std::string_view primitive) {
  const ir::BufferUse use = ir::block_buffers(block);
  std::vector<std::string> names;
  for (const auto& list : {use.writes, use.reads}) {
    for (const Buffer& buffer : list) {
      if (buffer->name == name) return buffer;
      if (std::find(names.begin(), names.end(), buffer->name) == names.end()) names.push_back(buffer->name);
    }
  }
  fail("{}: the block {} does not touch {}{}", primitive, block.name, name, did_you_mean(name, names));
}

bool is_complete(const Block& block) {
  return std::all_of(block.axes.begin(), block.axes.end(),
                     [](const ir::Axis& axis) { return axis.kind == ir::AxisKind::kSpatial; });
}

bool is_reduction(const Block& block) {
  return std::any_of(block.axes.begin(), block.axes.end(),
                     [](const ir::Axis& axis) { return axis.kind == ir::AxisKind::kReduce; });
}

bool binds(const Block& block, const Var& loop, ir::AxisKind kind) {
  for (size_t i = 0; i < block.axes.size(); ++i) {
    if (block.axes[i].kind == kind && ir::uses_var(block.bindings[i], loop)) return true;
  }
  return false;
}

bool selects(const Block& block, const Var& loop) {
  return binds(block, loop, ir::AxisKind::kSpatial) || binds(block, loop, ir::AxisKind::kOrdered);
}

bool keeps_places_in(const For& loop, const Block& block) {
  if (block.annotations.count("rolling_buffer") == 0) return false;
  const std::vector<Stmt> blocks = blocks_below(loop.body);
  return std::any_of(blocks.begin(), blocks.end(), [&](const Stmt& other) {
    const std::vector<Buffer> inputs = read_by(*other.as<Block>()), outputs = written_by(block);
    return std::any_of(inputs.begin(), inputs.end(), [&](const Buffer& input) {
      return std::find(outputs.begin(), outputs.end(), input) != outputs.end();
    });
  });
}

const ir::Store* single_store(const Block& block) {
  Stores stores;
  stores.visit(block.body);
  return stores.found.size() == 1 ? stores.found.front() : nullptr;
}

std::vector<int> output_axes(const Block& block, const Buffer& buffer, std::string_view primitive) {
  Stores stores;
  stores.visit(block.body);
  std::vector<int> positions;
  for (const ir::Store* store : stores.found) {
    if (store->buffer != buffer) continue;
    std::vector<int> found;
    for (const Expr& index : store->indices) {
      const auto axis =
          std::find_if(block.axes.begin(), block.axes.end(), [&](const ir::Axis& a) { return a.var.same_as(index); });
      const int position = axis == block.axes.end() ? -1 : static_cast<int>(axis - block.axes.begin());
      const bool repeated = position >= 0 && std::find(found.begin(), found.end(), position) != found.end();
      if (repeated || (position < 0 && !ir::is_int(index, 0))) {
        fail("{}: the block {} writes {} at '{}', expected an axis of its own for each dimension", primitive,
             block.name, buffer->name, ir::to_text(index));
      }
      found.push_back(position);
    }
    if (!positions.empty() && positions != found) {
      fail("{}: the block {} writes {} in two manners", primitive, block.name, buffer->name);
    }
    positions = found;
  }
  return positions;
}

}  // namespace vantage::schedule
