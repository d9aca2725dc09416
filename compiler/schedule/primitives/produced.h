// What a block makes in one iteration of a loop around it, which is what another block may take there.
#pragma once

#include <optional>
#include <vector>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// A block inside a loop.
struct Producer {
  const Block* block;
  std::vector<const For*> loops;    // between the loop and the block, outermost first
  std::vector<ir::Range> instance;  // per dimension of the buffer, what one instance of the block makes
};

// `block` stands inside the loop at the end of `path`.
Producer producer_in(const PrimFunc& function, const Path& path, const Block& block, const Buffer& buffer);

// Per dimension, all that a producer makes in one iteration, where this is a box without gaps: expressions in what
// stands outside of its loops. Nothing: it is no such box, or not known to be one.
std::optional<std::vector<ir::Range>> box_made(const Producer& producer, ir::Analyzer& analyzer);

}  // namespace vantage::schedule
