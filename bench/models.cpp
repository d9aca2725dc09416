// Whole networks on the default configuration with memory setting m64: cycles of the accelerator's part, how near their
// bounds layers come, how long it takes to compile and to simulate an image, and what integers cost LeNet. Outputs are
// checked first, bit by bit, against the same integers on the processor.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "bench/model_run.h"
#include "bench/stopwatch.h"
#include "bench/targets.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/passes/fuse.h"
#include "driver/runtime/executor.h"
#include "frontend/models/models.h"
#include "workload/digits.h"

namespace vantage::bench {
namespace {

// Mappings that were found, by the layer that they are for.
class KnownMappings {
 public:
  ops::FindMapping find() {
    return [this](const Conv2dShape& shape, const ops::Epilogue& epilogue) {
      const auto layer = std::pair(shape, epilogue);
      {
        const std::lock_guard lock(mutex_);
        for (const auto& [known, found] : all_) {
          if (known == layer) return found;
        }
      }
      const auto found = ops::search_vta_conv2d(shape, epilogue, isa::Config::vta_default());
      const std::lock_guard lock(mutex_);
      all_.emplace_back(layer, found);
      return found;
    };
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::pair<Conv2dShape, ops::Epilogue>, ops::SearchResult>> all_;
};

struct Result {
  workload::PreparedNetwork prepared;
  workload::NetworkMeasurement measured;
  double compile_cold = 0, compile_known = 0, simulate = 0;  // seconds

  uint64_t cycles(const std::function<bool(const workload::LayerMeasurement&)>& wanted) const {
    uint64_t sum = 0;
    for (const auto& layer : measured.layers) sum += layer.cycles && wanted(layer) ? layer.cycles->count() : 0;
    return sum;
  }
};

// All of what makes a network of integers ready to run.
double compile(const graph::Graph& integers, const network::CompileOptions& options) {
  const Clock::time_point start = Clock::now();
  const graph::Graph parts = graph::fuse_operators(network::partition_for_vta(integers, *options.config).graph);
  cpu::jit(network::compile_network(parts, options).functions);
  return seconds_since(start);
}

Result measure(const std::string& name) {
  const isa::Config config = isa::Config::vta_default();
  graph::Graph model = models::find_model(name).build(models::seeded_weights(1));
  const graph::Inputs inputs = seeded_inputs(model);
  KnownMappings mappings;
  workload::PrepareOptions options;
  options.compile.threads = 2;
  options.compile.config = config;
  options.compile.find_mapping = mappings.find();
  Result result{workload::prepare_network(std::move(model), {inputs}, options), {}};
  result.compile_known = compile(result.prepared.integers.graph, options.compile);
  KnownMappings none;
  options.compile.find_mapping = none.find();
  result.compile_cold = compile(result.prepared.integers.graph, options.compile);

  const ModelRun run = run_model(name, result.prepared, inputs, "systemc:");
  result.measured = run.measured;
  result.simulate = run.seconds;
  std::printf("%-12s %9llu cycles, compiled in %.2f s (%.2f s with its mappings known), simulated in %.3f s\n",
              name.c_str(), static_cast<unsigned long long>(result.measured.accelerator_cycles.count()),
              result.compile_cold, result.compile_known, result.simulate);
  return result;
}

// In points: digits told in floats, less those told in integers.
double lenet_loss() {
  const std::filesystem::path examples = VANTAGE_EXAMPLES;
  const workload::Digits digits = workload::load_digits(examples / "mnist_mlp");
  std::vector<graph::Inputs> calibration;
  for (int64_t image = 0; image < 64; ++image) calibration.push_back(digits.input(image));
  workload::PrepareOptions options;
  options.compile.config = isa::Config::vta_default();
  const workload::PreparedNetwork prepared = workload::prepare_network(
      models::find_model("lenet").build(models::weights_from(examples / "lenet")), calibration, options);
  const auto processor = driver::Processor::open("cpu:", 1);
  const auto count = [&](const graph::Graph& graph) {
    const network::CompiledNetwork compiled = network::compile_network(graph::fuse_operators(graph));
    driver::NetworkExecutor executor(std::make_shared<const Network>(compiled.network), cpu::jit(compiled.functions),
                                     *processor, nullptr);
    return workload::count_correct(digits, digits.count(), [&](const graph::Inputs& inputs) {
      executor.set_input("image", inputs.at("image"));
      executor.run();
      return executor.output(0);
    });
  };
  const int64_t floats = count(prepared.floats), integers = count(prepared.integers.graph);
  std::printf("%-12s %lld of 10,000 digits in floats, %lld in integers\n", "lenet", static_cast<long long>(floats),
              static_cast<long long>(integers));
  return 100 * static_cast<double>(floats - integers) / static_cast<double>(digits.count());
}

int run() {
  std::vector<Target> targets;
  const auto millions = [](uint64_t cycles) { return 1e-6 * static_cast<double>(cycles); };
  {
    const Result r = measure("resnet18");
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto stages = [](const workload::LayerMeasurement& layer) { return layer.name.starts_with("stage"); };
    targets.push_back({"ResNet-18: C2 to C11 with repeats", millions(r.cycles(stages)), 6.75, false, "M cycles"});
    targets.push_back({"ResNet-18: all of the accelerator's part", millions(r.measured.accelerator_cycles.count()), 7.6,
                       false, "M cycles"});
    targets.push_back({"ResNet-18: an image simulated, cycle by cycle", r.simulate, 1, false, "s"});
    targets.push_back({"ResNet-18: compiled", r.compile_cold, 3, false, "s"});
    targets.push_back({"ResNet-18: compiled, its mappings known", r.compile_known, 0.3, false, "s"});
    targets.push_back({"ResNet-18: memory of all that", 1e-6 * static_cast<double>(usage.ru_maxrss), 1.5, false, "GB"});
  }
  targets.push_back(
      {"ResNet-50", millions(measure("resnet50").measured.accelerator_cycles.count()), 17.5, false, "M cycles"});
  targets.push_back({"ResNet-8", 1e-3 * static_cast<double>(measure("resnet8").measured.accelerator_cycles.count()), 90,
                     false, "k cycles"});
  {
    double least = 1;
    for (const auto& layer : measure("mobilenet").measured.layers) {
      if (!layer.cycles || layer.name.find("pointwise") == std::string::npos) continue;
      least = std::min(least, static_cast<double>(*layer.bound) / static_cast<double>(layer.cycles->count()));
    }
    targets.push_back({"MobileNet: bound / cycles of pointwise layers, the least", least, 0.9, true, "x"});
  }
  targets.push_back({"LeNet: points of digits lost to integers", lenet_loss(), 0.3, false, "%"});
  return report(targets);
}

}  // namespace
}  // namespace vantage::bench

int main() {
  return vantage::bench::guarded(vantage::bench::run);
}
