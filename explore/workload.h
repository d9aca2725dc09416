// What designs are compared by: networks, layers and products, as lists of programs.
//
// Thread safety: values; layers() from one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/ops/vta_task.h"
#include "explore/design.h"

namespace vantage::explore {

// A program of the accelerator's.
struct Layer {
  std::string name;      // of the first node that it computes
  ops::VtaTask task;     // like() others, so that numbers do not tell programs apart
  uint64_t useful = 0;   // multiplications that the workload asks for, in a run of it
  uint64_t repeats = 1;  // as often in the workload
};

// What the accelerator was asked for, and does not take.
struct LeftLayer {
  std::string name, reason;
  double seconds = 0;  // that a processor beside it takes for it, roughly (network::PartitionCost)
};

struct Layers {
  std::vector<Layer> accelerator;
  std::vector<LeftLayer> processor;
};

// Throws Error where the accelerator takes nothing of a workload: without a program it would be the fastest of all.
void require_some(const Layers& layers, const std::string& workload);

// A network's programs on a design, each once: of its integers, which the design has bits for (workload::integers_of).
Layers layers_of(const graph::Graph& integers, const Design& design);

struct Workload {
  std::string name;     // as it was asked for
  std::string content;  // what it was made of besides: the seed, and of a file its SHA-256
  // On this design, in the order of the workload. Throws Error where the design cannot have it.
  std::function<Layers(const Design&)> layers;
};

struct WorkloadOptions {
  uint64_t seed = 1;                                           // of weights and of inputs that scales are chosen by
  std::function<void(const std::string&)> progress = nullptr;  // told what begins
};

// "resnet18", "bert_base:sequence=64": a network that is built in code, with sizes (models::Model::sizes).
// "FILE.onnx:batch=1": one in a file, with what its symbols are.
// "conv:C2": a convolution of ResNet-18. "gemm:256x256x256": m, k and n of a product.
// Throws Error that says which there are.
Workload find_workload(const std::string& text, const WorkloadOptions& options = {});

}  // namespace vantage::explore
