// Random graphs of small tensors: operators of every pattern, values that are used several times, constants, and nodes
// that nobody needs.
#pragma once

#include <random>

#include "compiler/graph/evaluate.h"
#include "compiler/graph/graph.h"

namespace vantage::test {

graph::Graph random_graph(std::mt19937_64& random, int calls);
// Values for its inputs.
graph::Inputs random_inputs(const graph::Graph& graph, std::mt19937_64& random);

}  // namespace vantage::test
