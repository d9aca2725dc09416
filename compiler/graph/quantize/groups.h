// Which operators of a network of floats become one computation of integers.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"

namespace vantage::graph {

// A convolution or dense layer of constant weights, and what is computed with it: members in order, each the only user
// of the one before.
struct Group {
  std::vector<uint32_t> members;
  std::optional<Value> addend = {};        // a residual
  double min = -HUGE_VAL, max = HUGE_VAL;  // of the output
};

// All there are, by their last member. An addition of two of them joins the deeper one, which has the more time for it.
// Without `joins_additions` every addition is one of its own.
std::map<uint32_t, Group> groups_of(const Graph& graph, bool joins_additions);

}  // namespace vantage::graph
