// Taking a reduction block apart: what it folds, into what, where.
#pragma once

#include <vector>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

struct ReductionParts {
  std::vector<Buffer> buffers;  // one per value of the reducer
  std::vector<Expr> indices;    // the same for all
  std::vector<Expr> values;     // what each instance folds in, on the block's axes
};

// Of a block with a reducer. Throws Error when its body is not what the reducer makes.
ReductionParts reduction_parts(const Block& block);

}  // namespace vantage::schedule
