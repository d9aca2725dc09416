// A nest of loops around one block, as loops and statements on their variables: the form in which what an intrinsic
// does is compared with what a function does.
#pragma once

#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::schedule {

// Loops of one iteration are gone.
struct BlockNest {
  std::vector<const ir::For*> loops;  // outermost first
  const ir::Block* block = nullptr;   // null when there is something else than one block below the loops
  ir::Stmt init, body;                // the block's, on the variables of the loops; init may be null
};

// Points into `nest`, which must stay.
BlockNest flatten(const ir::Stmt& nest);

}  // namespace vantage::schedule
