#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// Of calls of one operator with the same attributes and operands, and of constants that are equal, only the first
// stays.
Graph eliminate_common_subexpressions(Graph graph);

}  // namespace vantage::graph
