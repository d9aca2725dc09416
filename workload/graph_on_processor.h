// A graph by this machine's processor alone: what a network on an accelerator is compared with.
//
// Thread safety: functions without state.
#pragma once

#include <vector>

#include "compiler/graph/evaluate.h"

namespace vantage::workload {

// The outputs of a graph. Functions of the processor are computed as they are, those of accelerators operator by
// operator: of a partition (compiler/network/partition.h) that was fused the rest is rounded as it is beside an
// accelerator, to the last bit. Throws Error as network::compile_network does.
std::vector<Tensor> run_on_processor(const graph::Graph& graph, const graph::Inputs& inputs);

}  // namespace vantage::workload
