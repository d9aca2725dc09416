// From a graph to what devices run: each call a function of the processor, or a program of the accelerator where a
// partition has said so; tensors in memory that is used again as soon as nobody needs what it holds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/backend/cpu/target.h"
#include "compiler/graph/graph.h"
#include "compiler/network/vta/layer.h"
#include "hw/memory/memory_timing.h"
#include "network/network.h"

namespace vantage::network {

struct CompileOptions {
  cpu::Target target = cpu::host_target();
  // Of the processor, that loops are shared among, and that compile programs.
  int threads = 1;
  // Of functions on the VTA (partition.h); mappings are searched for with this memory.
  std::optional<isa::Config> config = {};
  MemoryTiming memory = {};
  // Where mappings come from; called from several threads. Null: a search (compiler/ops/conv2d/vta_search.h).
  FindMapping find_mapping = nullptr;
};

// What is known of a program before it runs.
struct ProgramEstimate {
  std::string op;  // "conv2d"
  uint64_t cycles = 0, bound = 0;
  std::string binds;
  uint64_t useful = 0, padded = 0;  // multiplications (vta/layer.h)
};

struct CompiledNetwork {
  Network network;
  std::vector<ir::PrimFunc> functions;     // the network's, in order, scheduled
  std::vector<ProgramEstimate> estimates;  // of the network's programs, in order
};

// The graph's functions are what is computed together (compiler/graph/passes/fuse.h); calls stand for themselves. Names
// of inputs and outputs stay. The same for the same graph and options. Throws Error, naming the node, for what its
// device cannot do.
CompiledNetwork compile_network(const graph::Graph& graph, const CompileOptions& options = {});

}  // namespace vantage::network
