#include "compiler/schedule/block_nest.h"

#include "compiler/ir/substitute.h"

namespace vantage::schedule {

BlockNest flatten(const ir::Stmt& nest) {
  BlockNest flat;
  ir::VarMap units;
  const ir::Stmt* inner = &nest;
  while (const auto* loop = inner->as<ir::For>()) {
    if (ir::is_int(loop->extent, 1)) {
      units[loop->var.get()] = loop->min;
    } else {
      flat.loops.push_back(loop);
    }
    inner = &loop->body;
  }
  flat.block = inner->as<ir::Block>();
  if (flat.block == nullptr) return flat;
  ir::VarMap axes;
  for (size_t i = 0; i < flat.block->axes.size(); ++i) {
    axes[flat.block->axes[i].var.get()] = ir::substitute(flat.block->bindings[i], units);
  }
  flat.body = ir::substitute(flat.block->body, axes);
  if (flat.block->init) flat.init = ir::substitute(flat.block->init, axes);
  return flat;
}

}  // namespace vantage::schedule
