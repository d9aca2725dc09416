#include "cli/model_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <random>
#include <thread>

#include "base/error.h"
#include "base/installation.h"
#include "base/tensor/npy.h"
#include "base/tensor/random.h"
#include "cli/idle_options.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/search_options.h"
#include "cli/tensor_files.h"
#include "frontend/models/models.h"
#include "frontend/onnx/import.h"

namespace vantage::cli {

namespace {

constexpr int64_t kCalibrationDigits = 64;

struct NamedRange {
  std::string_view name;
  graph::Range range;
};
constexpr NamedRange kRanges[] = {{"max", graph::Range::kMax},
                                  {"percentile", graph::Range::kPercentile},
                                  {"mse", graph::Range::kLeastError},
                                  {"kl", graph::Range::kDivergence}};

std::vector<std::string> names_of_ranges() {
  std::vector<std::string> names;
  for (const NamedRange& known : kRanges) names.emplace_back(known.name);
  return names;
}

// The two sides of NAME=VALUE. Throws Error, naming the option, for what is none.
std::pair<std::string, std::string> name_and_value(const char* option, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    fail("{} {}: expected NAME=VALUE", option, text);
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// By name. Throws Error, naming the option, for what is no NAME=VALUE and for a name that is there twice.
std::map<std::string, std::string> values_by_name(const char* option, const std::vector<std::string>& texts) {
  std::map<std::string, std::string> values;
  for (const std::string& text : texts) {
    const auto [name, value] = name_and_value(option, text);
    const auto [known, is_new] = values.emplace(name, value);
    if (!is_new) fail("{} {}: {} is given twice, first as {}", option, text, name, known->second);
  }
  return values;
}

int64_t size_of(const char* option, const std::string& text) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < 1)
    fail("{}: '{}' is no size; expected a whole number from 1 on", option, text);
  return value;
}

Tensor::Shape shape_of(const char* option, const std::string& text) {
  Tensor::Shape shape;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    shape.push_back(size_of(option, text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return shape;
}

// A file with one or more values of an input along its first axis.
std::vector<Tensor> values_of(const std::string& file, const graph::Node& input) {
  const Tensor values = read_npy(file, input.types[0].dtype);
  const Tensor::Shape& shape = input.types[0].shape;
  const bool fits = !shape.empty() && values.rank() == shape.size() && values.extent(0) > 0 &&
                    std::equal(shape.begin() + 1, shape.end(), values.shape().begin() + 1);
  if (!fits) {
    fail("{}: is {}, expected inputs of {} one after another along the first axis, {}", file, describe(values),
         input.name, describe(input.types[0]));
  }
  require_finite(file, values);
  std::vector<Tensor> all;
  for (int64_t first = 0; first + shape[0] <= values.extent(0); first += shape[0]) {
    all.push_back(values.rows(first, shape[0]));
  }
  return all;
}

// Floats from -1 to 1, and of integers, which may be numbers of something, the first two.
Tensor random_value(const TensorType& type, std::mt19937_64& random) {
  Tensor value(type.dtype, type.shape);
  if (type.dtype.is_float()) {
    fill(value, random);
  } else {
    fill(value, random, 0, 1);
  }
  return value;
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const models::Model& model : models::models()) names.push_back(model.name);
  return names;
}

bool is_onnx_file(const std::string& model) {
  return model.ends_with(".onnx");
}

bool takes_digits(const std::string& model) {
  return model == "lenet";
}

bool takes_tokens(const std::string& model) {
  // Those alone have sizes.
  return !models::find_model(model).sizes.empty();
}

workload::Digits load_test_digits() {
  return workload::load_digits(data_folder() / "examples" / "mnist_mlp");
}

void ModelOptions::add_to(CLI::App& app) {
  command = &app;
  const auto of_integers = [&](CLI::Option* option) {
    integer_options.push_back(option->get_name());
    return option;
  };
  CLI::Option* const all = of_integers(app.add_flag(
      "--accurate", accurate,
      "keep accuracy, for some more cycles: --scales multiply-shift --per-channel --smooth --correct-bias --range "
      "max"));
  const auto one = [&](CLI::Option* option) { of_integers(option)->excludes(all); };
  one(app.add_option("--scales", scales, "of integers: powers of two, or any, by a multiplication and a shift")
          ->type_name("KIND")
          ->check(one_of({"power-of-two", "multiply-shift"}))
          ->capture_default_str());
  one(app.add_flag("--per-channel", per_channel, "weights have a scale for each output"));
  one(app.add_option("--range", range,
                     "of values that integers say: all (max), all but one in 10,000 (percentile), or what loses least, "
                     "by its squared error (mse) or by its distribution (kl)")
          ->type_name("KIND")
          ->check(one_of(names_of_ranges()))
          ->capture_default_str());
  one(app.add_flag("--smooth", smooth, "make channels alike, with their weights, before scales are chosen"));
  one(app.add_flag("--correct-bias", correct_bias, "take off biases what rounded weights add to the mean"));
  of_integers(
      app.add_flag("--integer-functions", integer_functions,
                   "GELU, SiLU, sigmoid and tanh of integers in integers, on the accelerator where that is faster"));
  of_integers(app.add_option(
                  "--weights-bits", weights_bits,
                  "of weights, from 2 to as many as the configuration has, or 8, which is the default; fewer say less"))
      ->type_name("N")
      ->check(whole_number(2, 8));
  CLI::Option* const share = of_integers(
      app.add_option("--keep-floats", keep_floats,
                     "of all multiplications how many percent may stay floats, on the processor: those of products "
                     "whose rounding loses the most")
          ->type_name("PERCENT")
          ->check(number(0, 100))
          ->capture_default_str());
  of_integers(
      app.add_option("--cycles-at-most", most_cycles,
                     "let products stay floats as long as the accelerator's cycles, as estimated, and those that the "
                     "processor takes for them are no more than this: first those that gain the most for a cycle"))
      ->type_name("N")
      ->check(whole_number(1, UINT64_MAX))
      ->excludes(share);
  app.add_option("--calibration", calibration,
                 "inputs that scales are chosen by, one after another in an array; without it digits for lenet, and "
                 "random ones for the others")
      ->type_name("[NAME=]FILE.npy")
      ->expected(1)
      ->take_all()
      ->check(not_empty());
  app.add_option("--search", effort, "how long to look for a layer's mapping: quick (0.1 s) or thorough (5 s)")
      ->type_name("EFFORT")
      ->check(one_of({"quick", "thorough"}))
      ->capture_default_str();
  app.add_option("--size", sizes,
                 "of a model that has sizes, as sequence=64; of an ONNX file what a symbol in its "
                 "shapes is")
      ->type_name("NAME=N")
      ->expected(1)
      ->take_all();
  app.add_option("--seed", seed, "seed of random weights and inputs")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
}

void ModelOptions::add_weights_to(CLI::App& app) {
  app.add_option("--weights", weights,
                 "a file .safetensors or .npz, or a folder with NAME.npy for each array; without it trained ones, or "
                 "of the seed")
      ->type_name("PATH")
      ->check(not_empty());
}

void ModelOptions::add_file_options_to(CLI::App& app) {
  app.add_option("--shape", shapes, "of an ONNX file: the shape of an input, whatever the file says")
      ->type_name("NAME=N,N,...")
      ->expected(1)
      ->take_all();
  app.add_option("--constant", constants, "of an ONNX file: an input that is always the same, such as a shape")
      ->type_name("NAME=FILE.npy")
      ->expected(1)
      ->take_all();
}

std::map<std::string, int64_t, std::less<>> ModelOptions::given_sizes() const {
  std::map<std::string, int64_t, std::less<>> given;
  for (const auto& [name, value] : values_by_name("--size", sizes)) given[name] = size_of("--size", value);
  return given;
}

graph::Graph ModelOptions::build(const std::string& model) const {
  if (is_onnx_file(model)) return import(model);
  if (!shapes.empty() || !constants.empty()) {
    fail("--shape and --constant are for ONNX files; {} is built in code", model);
  }
  const models::Model& found = models::find_model(model);
  if (!weights.empty()) return found.build(models::weights_from(weights), given_sizes());
  return found.build(
      found.is_trained ? models::weights_from(data_folder() / "examples" / model) : models::seeded_weights(seed),
      given_sizes());
}

graph::Graph ModelOptions::import(const std::string& file) const {
  if (!weights.empty()) fail("--weights are for models that are built in code; {} has its own", file);
  onnx_models::ImportOptions options;
  options.sizes = given_sizes();
  for (const auto& [name, value] : values_by_name("--shape", shapes)) {
    options.shapes[name] = shape_of("--shape", value);
  }
  for (const auto& [name, value] : values_by_name("--constant", constants)) {
    options.constants.insert_or_assign(name, read_npy(value));
  }
  return onnx_models::import_model(file, options);
}

void ModelOptions::require_seed_for(const std::string& model) const {
  if (!takes_digits(model)) return;
  refuse_options(*command, {"--seed"},
                 fmt::format("is for random weights and inputs, and {} has trained ones and digits", model));
}

std::vector<graph::Inputs> ModelOptions::calibration_inputs(const std::string& model, const graph::Graph& graph) const {
  require_seed_for(model);
  if (calibration.empty() && takes_digits(model)) {
    std::vector<graph::Inputs> inputs;
    const workload::Digits digits = load_test_digits();
    for (int64_t image = 0; image < kCalibrationDigits; ++image) inputs.push_back(digits.input(image));
    return inputs;
  }
  std::vector<std::string> names;
  for (const uint32_t input : graph.inputs()) names.push_back(graph.nodes()[input].name);
  const std::map<std::string, std::string> files = files_of("--calibration", calibration, names);
  std::mt19937_64 random(seed);
  std::vector<graph::Inputs> inputs(1);
  std::map<std::string, std::vector<Tensor>> given;
  for (const uint32_t node : graph.inputs()) {
    const graph::Node& input = graph.nodes()[node];
    const auto file = files.find(input.name);
    if (file == files.end()) continue;
    std::vector<Tensor> values = values_of(file->second, input);
    if (!given.empty() && values.size() != inputs.size()) {
      fail("{}: has {} inputs one after another, another file {}", file->second, values.size(), inputs.size());
    }
    inputs.resize(values.size());
    given.emplace(input.name, std::move(values));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (const uint32_t node : graph.inputs()) {
      const graph::Node& input = graph.nodes()[node];
      const auto values = given.find(input.name);
      inputs[i].emplace(input.name, values != given.end() ? values->second[i] : random_value(input.types[0], random));
    }
  }
  return inputs;
}

PreparedModel ModelOptions::prepare(const std::string& model, const isa::Config& config,
                                    const MemoryTiming& memory) const {
  graph::Graph graph = build(model);
  std::vector<graph::Inputs> inputs = calibration_inputs(model, graph);
  workload::PreparedNetwork network =
      workload::prepare_network(std::move(graph), inputs, prepare_options(config, memory));
  if (network.states_scales) {
    refuse_options(*command,
                   {"--scales", "--per-channel", "--range", "--smooth", "--correct-bias", "--weights-bits",
                    "--accurate", "--keep-floats", "--cycles-at-most"},
                   fmt::format("is for networks of floats, and {} states its scales itself", model));
  }
  return {std::move(inputs), std::move(network)};
}

FloatModel ModelOptions::floats(const std::string& model) const {
  graph::Graph graph = build(model);
  graph::Inputs inputs = std::move(calibration_inputs(model, graph)[0]);
  return {workload::simplified(std::move(graph)), std::move(inputs)};
}

graph::Graph ModelOptions::floats_without_inputs(const std::string& model) const {
  require_seed_for(model);
  return workload::simplified(build(model));
}

workload::PrepareOptions ModelOptions::prepare_options(const isa::Config& config, const MemoryTiming& memory) const {
  workload::PrepareOptions options = accurate ? workload::accurate_options_for(config) : workload::options_for(config);
  if (!accurate) {
    options.quantize.scaling = scales == "power-of-two" ? graph::Scaling::kPowerOfTwo : graph::Scaling::kMultiplyShift;
    options.quantize.per_channel = per_channel;
    options.quantize.range = std::ranges::find(kRanges, range, &NamedRange::name)->range;
    options.quantize.corrects_bias = correct_bias;
    options.smooths_channels = smooth;
  }
  options.quantize.integer_functions = integer_functions;
  if (weights_bits) {
    if (*weights_bits > options.quantize.weight_bits) {
      fail("--weights-bits is {}, but weights of the configuration {} have {}; give at most that", *weights_bits,
           config.name(), options.quantize.weight_bits);
    }
    options.quantize.weight_bits = *weights_bits;
  }
  options.float_share = keep_floats / 100;
  if (most_cycles > 0) options.most_cycles = most_cycles;
  options.compile.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
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
