// Which part of a network the accelerator takes, and why it does not take the rest.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::network {

// Of an operator that accelerators are for.
struct Placement {
  std::string node;    // of the graph that is given
  std::string device;  // "vta"; empty: the processor
  std::string reason;  // why the accelerator does not take it
  // What a processor beside it takes for it, roughly; of what the accelerator takes it would, with the way there and
  // back.
  double processor_seconds = 0;
};

struct Partitioned {
  graph::Graph graph;
  std::vector<Placement> placements;  // in the order of the graph
};

// What of a configuration would make a layer faster that this binds (vta::Bound::binds()): "a wider bus".
std::string what_helps(std::string_view binds);

// What is faster where, roughly.
struct PartitionCost {
  MemoryTiming memory = {};  // of the accelerator
  // A processor beside an accelerator, such as a Zynq's: products of bytes and of their sums, and bytes that are laid
  // out anew and copied between the two.
  double operations_per_second = 250e6, bytes_per_second = 1e9;
};

// Products and folds of integers, with what follows element by element, become functions on the VTA (vta/function.h) as
// far as it can compute them, and where the processor, with the way there and back, would not be faster than the
// accelerator can be at best; tiles stay as they are from one of them to the next.
//
// REQUIRES: no functions.
Partitioned partition_for_vta(const graph::Graph& graph, const isa::Config& config, const PartitionCost& cost = {});

}  // namespace vantage::network
