// Transformers on the default configuration with memory setting m64: cycles of the accelerator's part against what its
// array would take for the products alone, how long they take to prepare and to simulate, and a step of a decoder of
// 1.1 billion weights. Outputs are checked first, bit by bit, against the same integers on the processor.
#include <fmt/format.h>
#include <sys/resource.h>

#include "bench/model_run.h"
#include "bench/stopwatch.h"
#include "bench/targets.h"
#include "frontend/models/models.h"

namespace vantage::bench {
namespace {

double gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1e-6 * static_cast<double>(usage.ru_maxrss);
}

struct Result {
  ModelRun run;
  double prepare = 0;   // seconds
  uint64_t useful = 0;  // multiplications on the accelerator

  // The share of its cycles that the array takes for the products, if it does nothing else.
  double of_array(const isa::Config& config) const {
    const auto each = static_cast<double>(config.batch() * config.block_in() * config.block_out());
    return static_cast<double>(useful) / each / static_cast<double>(run.measured.accelerator_cycles.count());
  }
};

Result measure(const std::string& name, const std::string& target, bool accurate) {
  const isa::Config config = isa::Config::vta_default();
  const Clock::time_point begin = Clock::now();
  graph::Graph model = models::find_model(name).build(models::seeded_weights(1));
  const graph::Inputs inputs = seeded_inputs(model);
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
  result.run = run_model(name, prepared, inputs, target);
  for (const auto& layer : result.run.measured.layers) result.useful += layer.useful;
  std::printf("%-12s %10llu cycles, prepared in %.2f s, processor's code in %.2f s, run on %s in %.3f s, %.2f GB\n",
              name.c_str(), static_cast<unsigned long long>(result.run.measured.accelerator_cycles.count()),
              result.prepare, result.run.code_seconds, target.c_str(), result.run.seconds, gigabytes());
  return result;
}

int run() {
  std::vector<Target> targets;
  const isa::Config config = isa::Config::vta_default();
  {
    const Result plain = measure("bert_base", "systemc:", false);
    targets.push_back({"BERT-base: built, calibrated, quantized and compiled", plain.prepare + plain.run.code_seconds,
                       10, false, "s"});
    const Result r = measure("bert_base", "systemc:", true);
    targets.push_back({"BERT-base: a sequence of 128 simulated, cycle by cycle", r.run.seconds, 5, false, "s"});
    targets.push_back({"BERT-base: what the array takes / cycles", r.of_array(config), 0.85, true, "x"});
  }
  for (const char* name : {"gpt2", "vit_tiny", "minilm"}) {
    const Result r = measure(name, "systemc:", true);
    targets.push_back({fmt::format("{}: what the array takes / cycles", name), r.of_array(config), 0.85, true, "x"});
  }
  {
    const Result r = measure("llama_1b", "fsim:", true);
    targets.push_back({"a decoder of 1.1 billion weights: a token", r.run.seconds, 10, false, "s"});
    targets.push_back({"a decoder of 1.1 billion weights: memory of all that", gigabytes(), 6, false, "GB"});
  }
  return report(targets);
}

}  // namespace
}  // namespace vantage::bench

int main() {
  return vantage::bench::guarded(vantage::bench::run);
}
