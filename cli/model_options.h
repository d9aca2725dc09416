// The options that say which network is prepared for which accelerator: for `run MODEL` and `explain`.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/graph/quantize/quantize.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"
#include "workload/prepared_network.h"

namespace CLI {
class App;
}

namespace vantage::cli {

struct ModelOptions {
  std::string scales = "power-of-two", weights;
  bool per_channel = false;
  std::string effort = "quick";
  uint64_t seed = 1;

  // --scales, --per-channel, --weights, --search and --seed.
  void add_to(CLI::App& app);

  graph::Graph build(const std::string& model) const;
  // Random values for its inputs, from the seed.
  graph::Inputs random_inputs(const graph::Graph& model) const;
  workload::PrepareOptions prepare(const isa::Config& config, const MemoryTiming& memory) const;
};

}  // namespace vantage::cli
