// Stacks of products of activations, such as those of attention, one by one.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/graph/graph.h"
#include "hw/isa/config.h"

namespace vantage::network {

// matmul of integers that are both no constants becomes dense for each of the stack, with what is done to its sums
// element by element up to int8; then they are put together again. Where their depth fills no tiles zeros are added:
// what else lies in a tile's lanes would be multiplied.
graph::Graph unstack_products(graph::Graph graph, const isa::Config& config);

}  // namespace vantage::network
