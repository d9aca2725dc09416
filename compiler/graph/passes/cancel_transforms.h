#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// Changes of layout that undo each other are dropped: a transpose of a transpose, a reshape of a reshape, and tiles
// that are unpacked and packed again as they were, with nothing between but a change of rank where images have one
// pixel.
Graph cancel_transforms(Graph graph);

}  // namespace vantage::graph
