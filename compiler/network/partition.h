// Which part of a network the accelerator takes, and why it does not take the rest.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "hw/isa/config.h"

namespace vantage::network {

// Of an operator that accelerators are for.
struct Placement {
  std::string node;    // of the graph that is given
  std::string device;  // "vta"; empty: the processor
  std::string reason;  // why the accelerator does not take it
};

struct Partitioned {
  graph::Graph graph;
  std::vector<Placement> placements;  // in the order of the graph
};

// Products and folds of integers, with what follows element by element, become functions on the VTA (vta/function.h) as
// far as it can compute them; tiles stay as they are from one of them to the next.
//
// REQUIRES: no functions.
Partitioned partition_for_vta(const graph::Graph& graph, const isa::Config& config);

}  // namespace vantage::network
