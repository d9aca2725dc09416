// cache_read and cache_write: a copy of a buffer in another memory, made by a block of its own.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/accesses.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/known_names.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/whole.h"
#include "compiler/schedule/spatial_nest.h"

namespace vantage::schedule {

namespace {

// "A" in "vta.inp" is called A_inp.
std::string cached_name(const std::string& buffer, const std::string& scope) {
  return buffer + "_" + scope.substr(scope.rfind('.') + 1);
}

Stmt copy_nest(const std::string& name, const Buffer& source, const Buffer& target) {
  return spatial_nest(name, source->shape, [&](const std::vector<Expr>& indices) {
    return ir::store(target, indices, ir::load(source, indices));
  });
}

Buffer copy_buffer(PrimFunc& function, const Buffer& buffer, const std::string& scope) {
  const std::string name = unique_buffer_name(function, cached_name(buffer->name, scope));
  const Buffer copy = ir::make_buffer(name, buffer->shape, buffer->dtype, scope);
  function.allocations.push_back(copy);
  return copy;
}

// The statement of the function's outermost sequence that holds the end of a path: loops around a nest belong to it.
size_t outermost_index(const Path& path) {
  return path.front().kind() == ir::StmtKind::kSeq ? 1 : 0;
}

// A copy stands in front of the outermost loops, or behind them.
void require_outside(const PrimFunc& function, const Buffer& buffer, std::string_view primitive) {
  const auto& made = function.allocations;
  if (function.is_param(buffer) || std::find(made.begin(), made.end(), buffer) != made.end()) return;
  fail("{}: {} is allocated inside of the function's body, and a copy of it would stand outside of that", primitive,
       buffer->name);
}

}  // namespace

std::string cache_read(PrimFunc& function, const std::string& name, const std::string& wanted,
                       const std::string& scope) {
  require_scope("cache_read", scope);
  const Path path = path_to_block(function, name);
  require_outermost(path, "cache_read");
  const Block& block = block_at(path);
  const std::vector<Buffer> inputs = read_by(block);
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const Buffer& b) { return b->name == wanted; });
  if (found == inputs.end()) {
    std::vector<std::string> names;
    for (const Buffer& input : inputs) names.push_back(input->name);
    fail("cache_read: the block {} does not read {}; it reads {}", name, wanted, fmt::join(names, ", "));
  }
  const Buffer buffer = *found;
  const Stmt outermost = path[outermost_index(path)];
  for (const Stmt& writer : writers(function, path, buffer)) {
    const auto blocks = blocks_below(outermost);
    if (std::any_of(blocks.begin(), blocks.end(), [&](const Stmt& b) { return b.same_as(writer); })) {
      fail("cache_read: the block {} makes {} in the same loops; cache it before compute_at", writer.as<Block>()->name,
           wanted);
    }
  }
  for (const Access& access : accesses(outermost)) {
    if (access.stmt.same_as(path.back()) || !access.writes_any_of(buffer)) continue;
    fail("cache_read: {} writes {} in the same loops", described(access), wanted);
  }
  require_outside(function, buffer, "cache_read");
  PrimFunc result = function;
  const Buffer cached = copy_buffer(result, buffer, scope);
  const std::string cache_block = unique_block_name(function, cached->name);
  const Stmt reading = ir::substitute(path.back(), {}, {{buffer.get(), cached}});
  replace(result, path.back(), reading);
  const Path changed = path_to_block(result, name);
  const Stmt after = changed[outermost_index(changed)];
  replace(result, after, ir::seq({copy_nest(cache_block, buffer, cached), after}));
  function = std::move(result);
  return cache_block;
}

std::string cache_write(PrimFunc& function, const std::string& name, const std::string& scope) {
  require_scope("cache_write", scope);
  const Path path = path_to_block(function, name);
  require_outermost(path, "cache_write");
  const Buffer buffer = single_output(block_at(path), "cache_write");
  const Stmt outermost = path[outermost_index(path)];
  if (writers(function, path, buffer).size() != 1) {
    fail("cache_write: other blocks than {} write {} as well; cache it before decompose_reduction", name, buffer->name);
  }
  for (const Stmt& other : blocks_below(outermost)) {
    const auto inputs = read_by(*other.as<Block>());
    if (!other.same_as(path.back()) && std::find(inputs.begin(), inputs.end(), buffer) != inputs.end()) {
      fail("cache_write: the block {} reads {} in the same loops; cache it before compute_at", other.as<Block>()->name,
           buffer->name);
    }
  }
  for (const Access& access : accesses(outermost)) {
    if (access.stmt.same_as(path.back())) continue;
    if (!access.reads_any_of(buffer) && !access.writes_any_of(buffer)) continue;
    fail("cache_write: {} touches {} in the same loops", described(access), buffer->name);
  }
  require_outside(function, buffer, "cache_write");
  require_made_whole(function, path, buffer, "cache_write");
  PrimFunc result = function;
  const Buffer cached = copy_buffer(result, buffer, scope);
  const std::string copy_block = unique_block_name(function, cached->name);
  replace(result, path.back(), ir::substitute(path.back(), {}, {{buffer.get(), cached}}));
  const Path changed = path_to_block(result, name);
  const Stmt before = changed[outermost_index(changed)];
  replace(result, before, ir::seq({before, copy_nest(copy_block, cached, buffer)}));
  function = std::move(result);
  return copy_block;
}

void set_scope(PrimFunc& function, const std::string& name, const std::string& scope) {
  require_scope("set_scope", scope);
  const Path path = path_to_block(function, name);
  const Buffer buffer = single_output(block_at(path), "set_scope");
  if (function.is_param(buffer)) {
    fail("set_scope: {} belongs to the caller and stays where it is; cache_write the block {}", buffer->name, name);
  }
  ir::BufferNode node = *buffer;
  node.scope = scope;
  const Buffer moved = ir::make_buffer(std::move(node));
  std::replace(function.allocations.begin(), function.allocations.end(), buffer, moved);
  function.body = ir::substitute(function.body, {}, {{buffer.get(), moved}});
}

}  // namespace vantage::schedule
