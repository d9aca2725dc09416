// Runs graphs by their operators' plain loops: slow and plain, what everything else is tested against.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"

namespace vantage::graph {

using Inputs = std::map<std::string, Tensor, std::less<>>;

// The outputs, in order. `done` is told of each call behind it, by the number of its node. Throws Error, naming the
// input, for one that is missing, has another type, or is none of the graph's.
std::vector<Tensor> evaluate(const Graph& graph, const Inputs& inputs,
                             const std::function<void(uint32_t)>& done = nullptr);

// What one node that is a call makes of its inputs' values, in order. REQUIRES: values of the inputs' types.
std::vector<Tensor> evaluate_node(const Graph& graph, uint32_t node, const std::vector<const Tensor*>& values);

}  // namespace vantage::graph
