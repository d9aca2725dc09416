// From a graph to loops: what is computed together becomes one function of the tensor IR.
#pragma once

#include <cstdint>

#include "compiler/graph/graph.h"
#include "compiler/ir/prim_func.h"

namespace vantage::graph {

// What a node computes, as a graph of its own: the function that it calls, or its one call, whose inputs are the node's
// in order, one that is there twice only once.
//
// REQUIRES: the node is a call.
struct NodeFunction {
  std::shared_ptr<const Graph> graph;
  std::vector<Value> arguments;  // of the graph's inputs
};
NodeFunction function_of(const Graph& graph, uint32_t node);

// Its operators' formulas: parameters are the inputs, in order, then the outputs. The loops have no schedule yet.
// Constants become part of the formulas.
//
// REQUIRES: a graph that calls no functions.
ir::PrimFunc to_prim_func(const Graph& function);

}  // namespace vantage::graph
