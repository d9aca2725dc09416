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
  // Functions are for GPUs (gpu_functions.h) and not for the processor. Matrices are then multiplied as they are,
  // and convolutions pixel by pixel (pixel_convolutions.h): panels are as wide as the vectors of the processor that
  // compiles, which is nothing to a GPU. And no
  // function writes over what it reads: one thread would be ahead of another.
  bool is_for_gpu = false;
  // Of the processor, that loops are shared among, and that compile programs.
  int threads = 1;
  // Of functions on the VTA (partition.h); mappings are searched for with this memory.
  std::optional<isa::Config> config = {};
  MemoryTiming memory = {};
  // Where mappings come from; called from several threads. Null: a search (compiler/ops/conv2d/vta_search.h).
  ops::FindMapping find_mapping = nullptr;
};

struct CompiledNetwork {
  // What its steps compute, a node each: the graph that was given, products of the processor in panels
  // (pack_products.h), or convolutions of GPUs pixel by pixel (pixel_convolutions.h).
  graph::Graph graph;
  Network network;
  // The network's, in order: as they are defined, for any processor (processor_functions.h), and with their schedules
  // for the target of the options; without these where functions are for GPUs.
  std::vector<ir::PrimFunc> definitions, functions;
};

// The graph's functions are what is computed together (compiler/graph/passes/fuse.h); calls stand for themselves. Names
// of inputs and outputs stay. The same for the same graph and options. Throws Error, naming the node, for what its
// device cannot do.
CompiledNetwork compile_network(const graph::Graph& graph, const CompileOptions& options = {});

// What the network's tensor of a value is called: like its node, where that has several outputs with the output's
// number behind it, "split:1"; and the same where the accelerator has it.
std::string tensor_name(const graph::Graph& graph, graph::Value value);
std::string accelerator_name(const std::string& tensor);

}  // namespace vantage::network
