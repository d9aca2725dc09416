#include "compiler/ops/cuda/pad_product.h"

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
  s.pad_einsum(s.get_block(block), padding);
  const std::vector<std::string> readers = readers_of(s, block);
  if (readers.size() != 1 || !schedule::is_complete(block_named(s, readers.front()))) return;
  attempt_steps(s, [&](Schedule& tried) { tried.compute_inline(tried.get_block(readers.front())); });
}

}  // namespace vantage::ops
