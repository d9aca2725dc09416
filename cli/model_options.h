// The options that say which network is prepared for which accelerator: for `run MODEL`, `compile`
// and `explain`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
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
// Whether a model reads numbers of tokens, not a picture. REQUIRES: there is one of this name.
bool takes_tokens(const std::string& model);
// Those that are in the project's data.
workload::Digits load_test_digits();

struct PreparedModel {
  std::vector<graph::Inputs> calibration;  // what its scales were chosen by
  workload::PreparedNetwork network;
};

// A model as it is, simplified (workload/prepared_network.h).
struct FloatModel {
  graph::Graph graph;
  graph::Inputs inputs;  // by --calibration, or random
};

// Whether a model is the name of a file, and not one of those that are built in code.
bool is_onnx_file(const std::string& model);

struct ModelOptions {
  std::string scales = "power-of-two", weights;
  std::vector<std::string> calibration;               // FILE or NAME=FILE
  std::vector<std::string> sizes, shapes, constants;  // NAME=..., of ONNX files
  bool accurate = false, per_channel = false, smooth = false, correct_bias = false;
  bool integer_functions = false;
  std::string range = "mse";
  std::optional<int> weights_bits;  // as many as the configuration has
  double keep_floats = 0;           // percent
  uint64_t most_cycles = 0;         // 0: no limit is given
  std::string effort = "quick";
  uint64_t seed = 1;
  const CLI::App* command = nullptr;         // that has these options
  std::vector<std::string> integer_options;  // what add_to() added that says nothing of a network's floats

  // --accurate, --scales, --per-channel, --range, --smooth, --correct-bias, --integer-functions, --weights-bits,
  // --keep-floats, --cycles-at-most, --calibration, --search, --size and --seed.
  void add_to(CLI::App& app);
  // --weights, of models that are built in code.
  void add_weights_to(CLI::App& app);
  // --shape and --constant, of ONNX files.
  void add_file_options_to(CLI::App& app);

  // A model compiled for this accelerator, with progress on a terminal. Throws Error.
  PreparedModel prepare(const std::string& model, const isa::Config& config, const MemoryTiming& memory) const;
  // The same model without an accelerator. Throws Error.
  FloatModel floats(const std::string& model) const;
  graph::Graph floats_without_inputs(const std::string& model) const;

 private:
  std::map<std::string, int64_t, std::less<>> given_sizes() const;
  void require_seed_for(const std::string& model) const;
  graph::Graph build(const std::string& model) const;
  graph::Graph import(const std::string& file) const;
  std::vector<graph::Inputs> calibration_inputs(const std::string& model, const graph::Graph& graph) const;
  workload::PrepareOptions prepare_options(const isa::Config& config, const MemoryTiming& memory) const;
};

}  // namespace vantage::cli
