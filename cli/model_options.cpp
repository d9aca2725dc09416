#include "cli/model_options.h"

#include <CLI/CLI.hpp>
#include <random>
#include <thread>

#include "base/tensor/random.h"
#include "cli/installation.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/search_options.h"
#include "frontend/models/models.h"

namespace vantage::cli {

void ModelOptions::add_to(CLI::App& app) {
  app.add_option("--scales", scales, "of integers: powers of two, or any, by a multiplication and a shift")
      ->type_name("KIND")
      ->check(one_of({"power-of-two", "multiply-shift"}))
      ->capture_default_str();
  app.add_flag("--per-channel", per_channel, "weights have a scale for each output");
  app.add_option("--weights", weights,
                 "folder with a file NAME.npy for each array; without it trained ones, or of the seed")
      ->type_name("DIR")
      ->check(not_empty());
  app.add_option("--search", effort, "how long to look for a layer's mapping: quick (0.1 s) or thorough (5 s)")
      ->type_name("EFFORT")
      ->check(one_of({"quick", "thorough"}))
      ->capture_default_str();
  app.add_option("--seed", seed, "seed of random weights and inputs")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
}

graph::Graph ModelOptions::build(const std::string& model) const {
  const models::Model& found = models::find_model(model);
  if (!weights.empty()) return found.build(models::weights_from(weights));
  return found.build(found.is_trained ? models::weights_from(data_folder() / "examples" / model)
                                      : models::seeded_weights(seed));
}

graph::Inputs ModelOptions::random_inputs(const graph::Graph& model) const {
  std::mt19937_64 random(seed);
  graph::Inputs inputs;
  for (const uint32_t n : model.inputs()) {
    const graph::Node& node = model.nodes()[n];
    Tensor tensor(node.types[0].dtype, node.types[0].shape);
    fill(tensor, random);
    inputs.emplace(node.name, std::move(tensor));
  }
  return inputs;
}

workload::PrepareOptions ModelOptions::prepare(const isa::Config& config, const MemoryTiming& memory) const {
  workload::PrepareOptions options;
  options.quantize.scaling = scales == "power-of-two" ? graph::Scaling::kPowerOfTwo : graph::Scaling::kMultiplyShift;
  options.quantize.per_channel = per_channel;
  options.quantize.activation_bits = std::min(8, config.inp_bits());
  options.quantize.weight_bits = std::min(8, config.wgt_bits());
  options.quantize.acc_bits = config.acc_bits();
  options.compile.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.compile.config = config;
  options.compile.memory = memory;
  const ops::SearchEffort how = effort == "thorough" ? ops::SearchEffort::kThorough : ops::SearchEffort::kQuick;
  options.compile.find_mapping = [config, memory, how](const Conv2dShape& shape, const ops::Epilogue& epilogue) {
    return workload::find_mapping(
        {.shape = shape, .epilogue = epilogue, .config = config, .memory = memory, .effort = how}, mapping_cache());
  };
  options.progress = build_progress();
  return options;
}

}  // namespace vantage::cli
