#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// How much is computed together: nothing; what follows element by element; also what moves elements, and folds that
// read what comes before them.
enum class Fusion : uint8_t { kNone, kElementwise, kAll };

// Calls that can be computed together become calls of a function of theirs, named after its operators. A node joins
// the nodes before it that nobody else uses, diamonds included: at most one product or fold to a function. Elementwise
// operators join anything but what is opaque, where they do not repeat the elements of a product or a fold; what moves
// elements joins what does no more than that, and so do folds. Constants are inputs of functions.
//
// Functions that there are stay as they are.
Graph fuse_operators(Graph graph, Fusion level = Fusion::kAll);

}  // namespace vantage::graph
