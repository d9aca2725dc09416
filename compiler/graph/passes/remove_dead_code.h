#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// Drops nodes that no output needs. Inputs stay, needed or not: callers give them.
Graph remove_dead_code(Graph graph);

}  // namespace vantage::graph
