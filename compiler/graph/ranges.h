// What is known of integers from how they are made.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.h"

namespace vantage::graph {

// No element of an integer value is below this: by limits, ReLUs, and what moves or picks elements of values so made;
// else the least that its type holds. In a function's graph `inputs` says it of the inputs, in order.
int64_t least_element(const Graph& graph, Value value, const std::vector<int64_t>& inputs = {});

}  // namespace vantage::graph
