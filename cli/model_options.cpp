#include "cli/model_options.h"

#include <CLI/CLI.hpp>
#include <random>
#include <thread>

#include "base/error.h"
#include "base/tensor/npy.h"
#include "base/tensor/random.h"
#include "cli/installation.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/search_options.h"
#include "frontend/models/models.h"

namespace vantage::cli {

namespace {

constexpr int64_t kCalibrationDigits = 64;

// The only input of a graph.
const graph::Node& input_of(const graph::Graph& graph) {
  VANTAGE_CHECK(graph.inputs().size() == 1);
  return graph.nodes()[graph.inputs()[0]];
}

// A file with one or more inputs along its first axis.
std::vector<graph::Inputs> inputs_from(const std::string& file, const graph::Node& input) {
  const Tensor values = read_npy(file, input.types[0].dtype);
  const Tensor::Shape& shape = input.types[0].shape;
  if (values.rank() != shape.size() || values.extent(0) == 0 ||
      !std::equal(shape.begin() + 1, shape.end(), values.shape().begin() + 1)) {
    fail("{}: is {}, expected inputs of {} one after another along the first axis, {}", file, describe(values),
         input.name, describe(input.types[0]));
  }
  std::vector<graph::Inputs> inputs;
  for (int64_t first = 0; first + shape[0] <= values.extent(0); first += shape[0]) {
    graph::Inputs one;
    one.emplace(input.name, values.rows(first, shape[0]));
    inputs.push_back(std::move(one));
  }
  return inputs;
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const models::Model& model : models::models()) names.push_back(model.name);
  return names;
}

bool takes_digits(const std::string& model) {
  return model == "lenet";
}

workload::Digits load_test_digits() {
  return workload::load_digits(data_folder() / "examples" / "mnist_mlp");
}

void ModelOptions::add_to(CLI::App& app) {
  app.add_option("--scales", scales, "of integers: powers of two, or any, by a multiplication and a shift")
      ->type_name("KIND")
      ->check(one_of({"power-of-two", "multiply-shift"}))
      ->capture_default_str();
  app.add_flag("--per-channel", per_channel, "weights have a scale for each output");
  app.add_option("--calibration", calibration,
                 "inputs that scales are chosen by, one after another in an array; without it digits for lenet, and "
                 "random ones for the others")
      ->type_name("FILE.npy")
      ->check(not_empty());
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

std::vector<graph::Inputs> ModelOptions::calibration_inputs(const std::string& model, const graph::Graph& graph) const {
  const graph::Node& input = input_of(graph);
  if (!calibration.empty()) return inputs_from(calibration, input);
  std::vector<graph::Inputs> inputs;
  if (takes_digits(model)) {
    const workload::Digits digits = load_test_digits();
    for (int64_t image = 0; image < kCalibrationDigits; ++image) inputs.push_back(digits.input(image));
    return inputs;
  }
  std::mt19937_64 random(seed);
  Tensor values(input.types[0].dtype, input.types[0].shape);
  fill(values, random);
  inputs.emplace_back().emplace(input.name, std::move(values));
  return inputs;
}

PreparedModel ModelOptions::prepare(const std::string& model, const isa::Config& config,
                                    const MemoryTiming& memory) const {
  graph::Graph graph = build(model);
  std::vector<graph::Inputs> inputs = calibration_inputs(model, graph);
  workload::PreparedNetwork network =
      workload::prepare_network(std::move(graph), inputs, prepare_options(config, memory));
  return {std::move(inputs), std::move(network)};
}

workload::PrepareOptions ModelOptions::prepare_options(const isa::Config& config, const MemoryTiming& memory) const {
  workload::PrepareOptions options;
  options.quantize.scaling = scales == "power-of-two" ? graph::Scaling::kPowerOfTwo : graph::Scaling::kMultiplyShift;
  options.quantize.per_channel = per_channel;
  options.quantize.activation_bits = std::min(8, config.inp_bits());
  options.quantize.weight_bits = std::min(8, config.wgt_bits());
  options.quantize.acc_bits = config.acc_bits();
  options.quantize.joins_additions = config.out_bits() == 8;
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
