#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// Sums, products, maxima and minima of a constant and what is computed have the constant as their second operand: the
// one place where passes after this one look for it. Results stay as they are.
Graph constants_last(Graph graph);

}  // namespace vantage::graph
