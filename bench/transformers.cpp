// Transformers on the default configuration with memory setting m64: cycles of the accelerator's part against what its
// array would take for the products alone, how long they take to prepare and to simulate, and a step of a decoder of
// 1.1 billion weights. Outputs are checked first, bit by bit, against the same integers on the processor.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <random>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "bench/targets.h"
#include "compiler/backend/cpu/jit.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "frontend/models/models.h"
#include "workload/graph_on_processor.h"
#include "workload/network_run.h"
#include "workload/prepared_network.h"

namespace vantage::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1e-6 * static_cast<double>(usage.ru_maxrss);
}

struct Result {
  workload::NetworkMeasurement measured;
  double prepare = 0, compile = 0, simulate = 0;  // seconds
  uint64_t useful = 0;                            // multiplications on the accelerator

  // The share of its cycles that the array takes for the products, if it does nothing else.
  double of_array(const isa::Config& config) const {
    const auto each = static_cast<double>(config.batch() * config.block_in() * config.block_out());
    return static_cast<double>(useful) / each / static_cast<double>(measured.accelerator_cycles.count());
  }
};

Result measure(const std::string& name, const std::string& target, bool accurate) {
  const isa::Config config = isa::Config::vta_default();
  const Clock::time_point begin = Clock::now();
  graph::Graph model = models::find_model(name).build(models::seeded_weights(1));
  std::mt19937_64 random(1);
  graph::Inputs inputs;
  for (const uint32_t n : model.inputs()) {
    const TensorType& type = model.nodes()[n].types[0];
    Tensor value(type.dtype, type.shape);
    type.dtype.is_float() ? fill(value, random) : fill(value, random, 0, 1);
    inputs.emplace(model.nodes()[n].name, std::move(value));
  }
  workload::PrepareOptions options = accurate ? workload::accurate_options_for(config) : workload::options_for(config);
  options.compile.threads = 2;
  Clock::time_point last = Clock::now();
  std::string what = "built";
  options.progress = [&](const std::string& next) {
    std::printf("    %-24s %7.2f s\n", what.c_str(), seconds_since(last));
    last = Clock::now();
    what = next;
  };
  const workload::PreparedNetwork prepared = workload::prepare_network(std::move(model), {inputs}, options);
  options.progress("");
  Result result;
  result.prepare = seconds_since(begin);
  const Clock::time_point compiling = Clock::now();
  const auto functions = cpu::jit(prepared.compiled.functions);
  result.compile = seconds_since(compiling);

  const auto processor = driver::Processor::open("cpu:", 2);
  const auto device = driver::open_accelerator(target, config);
  driver::NetworkExecutor executor(std::make_shared<const Network>(prepared.compiled.network), functions, *processor,
                                   device.get());
  // Weights are loaded before the first run.
  result.measured = workload::measure_network(executor, inputs);
  const std::vector<Tensor> expected = workload::run_on_processor(prepared.parts.graph, inputs);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (const auto wrong = difference(expected[i], result.measured.outputs[i])) fail("{}: {}", name, *wrong);
  }
  const Clock::time_point start = Clock::now();
  result.measured = workload::measure_network(executor, inputs);
  result.simulate = seconds_since(start);
  for (const auto& layer : result.measured.layers) result.useful += layer.useful;
  std::printf("%-12s %10llu cycles, prepared in %.2f s, processor's code in %.2f s, run on %s in %.3f s, %.2f GB\n",
              name.c_str(), static_cast<unsigned long long>(result.measured.accelerator_cycles.count()), result.prepare,
              result.compile, target.c_str(), result.simulate, gigabytes());
  return result;
}

int run() {
  std::vector<Target> targets;
  const isa::Config config = isa::Config::vta_default();
  {
    const Result plain = measure("bert_base", "systemc:", false);
    targets.push_back(
        {"BERT-base: built, calibrated, quantized and compiled", plain.prepare + plain.compile, 10, false, "s"});
    const Result r = measure("bert_base", "systemc:", true);
    targets.push_back({"BERT-base: a sequence of 128 simulated, cycle by cycle", r.simulate, 5, false, "s"});
    targets.push_back({"BERT-base: what the array takes / cycles", r.of_array(config), 0.85, true, "x"});
  }
  for (const char* name : {"gpt2", "vit_tiny", "minilm"}) {
    const Result r = measure(name, "systemc:", true);
    targets.push_back({fmt::format("{}: what the array takes / cycles", name), r.of_array(config), 0.85, true, "x"});
  }
  {
    const Result r = measure("llama_1b", "fsim:", true);
    targets.push_back({"a decoder of 1.1 billion weights: a token", r.simulate, 10, false, "s"});
    targets.push_back({"a decoder of 1.1 billion weights: memory of all that", gigabytes(), 6, false, "GB"});
  }
  return report(targets);
}

}  // namespace
}  // namespace vantage::bench

int main() {
  try {
    return vantage::bench::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
