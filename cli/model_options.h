// The options that say which network is prepared for which accelerator: for `run MODEL`, `compile`
// and `explain`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/quantize/quantize.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"
#include "workload/digits.h"
#include "workload/prepared_network.h"

namespace CLI {
class App;
}

namespace vantage::cli {

// The models there are, by name.
std::vector<std::string> model_names();
// Whether a model is for MNIST's digits.
bool takes_digits(const std::string& model);
// Those that are in the project's data.
workload::Digits load_test_digits();

struct PreparedModel {
  std::vector<graph::Inputs> calibration;  // what its scales were chosen by
  workload::PreparedNetwork network;
};

struct ModelOptions {
  std::string scales = "power-of-two", weights, calibration;
  bool per_channel = false;
  std::string effort = "quick";
  uint64_t seed = 1;

  // --scales, --per-channel, --calibration, --weights, --search and --seed.
  void add_to(CLI::App& app);

  // A model compiled for this accelerator, with progress on a terminal. Throws Error.
  PreparedModel prepare(const std::string& model, const isa::Config& config, const MemoryTiming& memory) const;

 private:
  graph::Graph build(const std::string& model) const;
  std::vector<graph::Inputs> calibration_inputs(const std::string& model, const graph::Graph& graph) const;
  workload::PrepareOptions prepare_options(const isa::Config& config, const MemoryTiming& memory) const;
};

}  // namespace vantage::cli
