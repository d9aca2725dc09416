#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// Calls of constants become constants, computed by the operator's plain loops. One whose result is larger than both
// its operands and kMostFolded stays: it is quicker to compute than to keep.
inline constexpr uint64_t kMostFolded = uint64_t{1} << 24;  // bytes
Graph fold_constants(Graph graph);

}  // namespace vantage::graph
