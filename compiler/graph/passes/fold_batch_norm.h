#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// A batch_norm of constants behind a conv2d, conv2d_transpose without groups, or dense, whose weights and bias are
// constants and which nobody else uses, goes into those: computed in double, and rounded once. It must be of the axis
// that the outputs lie along. Results differ by what rounding does.
Graph fold_batch_norm(Graph graph);

}  // namespace vantage::graph
