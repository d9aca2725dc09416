// A graph by this machine's processor alone: what a network on an accelerator is compared with.
//
// Thread safety: functions without state.
#pragma once

#include <vector>

#include "compiler/graph/evaluate.h"

namespace vantage::workload {

// The outputs of a graph without functions. Throws Error as network::compile_network does.
std::vector<Tensor> run_on_processor(const graph::Graph& graph, const graph::Inputs& inputs);

}  // namespace vantage::workload
