#pragma once

#include "compiler/graph/graph.h"

namespace vantage::graph {

// Products in the forms that every target does best:
//
// - conv2d_transpose by constant weights, of one step or without dilation, becomes conv2d: of as many pixels as the
//   input has, with as many results for each as there are steps, which are then laid out beside each other. No pixel is
//   multiplied by the zeros that a step puts between.
// - matmul by a constant matrix becomes dense.
// - dense on more axes than two becomes dense on rows.
//
// Sums of floats are added in another order.
Graph plain_products(Graph graph);

}  // namespace vantage::graph
