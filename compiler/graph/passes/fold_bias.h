#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// A constant that is added to each output of a product which has no bias yet becomes its bias: behind dense, on rows or
// shaped otherwise before its last axis, and behind conv2d.
//
// Comes behind plain_products, which makes matmul by constants dense, and constants_last.
Graph fold_bias(Graph graph);

}  // namespace vantage::graph
