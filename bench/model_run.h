// Networks with weights and inputs of a seed on an accelerator, as benchmarks run them.
#pragma once

#include <string>

#include "compiler/graph/evaluate.h"
#include "workload/network_run.h"
#include "workload/prepared_network.h"

namespace vantage::bench {

// Floats from -1 to 1, and of integers, which may be numbers of something, the first two.
graph::Inputs seeded_inputs(const graph::Graph& model);

struct ModelRun {
  workload::NetworkMeasurement measured;
  double seconds = 0;       // of a run that finds its weights loaded
  double code_seconds = 0;  // until the processor's functions were there
};

// On `target` and this machine's processor. Throws Error, naming the network, unless all outputs are, bit by bit, what
// the processor makes of the same integers.
ModelRun run_model(const std::string& name, const workload::PreparedNetwork& prepared, const graph::Inputs& inputs,
                   const std::string& target);

}  // namespace vantage::bench
