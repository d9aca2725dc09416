#include "compiler/ops/cuda/pad_product.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using schedule::Schedule;

void pad_product(Schedule& s, const std::string& block, const std::vector<Multiple>& multiples) {
  schedule::Factors padding(block_named(s, block).axes.size(), 1);
  bool grows = false;
  for (const auto& [axis, multiple] : multiples) {
    if (!axis.is_index || axis.extent % multiple == 0) continue;
    padding[axis.number] = multiple;
    grows = true;
  }
  if (!grows) fail("tiles of {} need no zeros, or cannot have them", block);
  const std::vector<std::string> before = names_of_blocks(s.function());
  s.pad_einsum(s.get_block(block), padding);
  const auto is_new = [&](const std::string& name) { return std::ranges::find(before, name) == before.end(); };
  const auto inline_into_others = [&](const std::string& name) {
    if (!schedule::is_complete(block_named(s, name))) return;
    attempt_steps(s, [&](Schedule& tried) { tried.compute_inline(tried.get_block(name)); });
  };
  // A formula goes into the copy that is filled up.
  for (const std::string& name : before) {
    const std::vector<std::string> readers = readers_of(s, name);
    if (readers.size() == 1 && is_new(readers.front()) && is_cheap(block_named(s, name))) inline_into_others(name);
  }
  for (const std::string& reader : readers_of(s, block)) {
    if (is_new(reader)) inline_into_others(reader);
  }
}

}  // namespace vantage::ops
