// What is known of integers from how they are made.
#pragma once

#include <cstdint>

#include "compiler/graph/graph.h"

namespace vantage::graph {

struct ElementRange {
  int64_t least = INT64_MIN, greatest = INT64_MAX;
};

// What no element of an integer value is below or above: by limits, ReLUs, and what moves or picks elements of values
// so made; else what its type holds.
ElementRange element_range(const Graph& graph, Value value);

}  // namespace vantage::graph
