#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// Weights that are integers with scales (quantize/weights.h) stay so where only convolutions, dense layers and products
// of matrices take them, by a scale for each output: what moves them moves the integers, and a matrix's become
// [outputs, depth]. Everywhere else, and before a batch norm, which goes into weights, they become floats. It comes
// before all passes that want to see a product's weights.
Graph narrow_weights(Graph graph);

}  // namespace vantage::graph
