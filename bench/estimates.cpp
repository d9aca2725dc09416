// How near the compiler's estimate of a program's time comes to the cycle-accurate machine: random layers with the
// tilings that are chosen for them, over eight configurations and three memories. Results are checked first.
//
//   bench_estimates --layers 1000 --seed 1 --show 1
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <random>

#include "base/error.h"
#include "base/tensor/random.h"
#include "bench/layers.h"
#include "bench/targets.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "driver/open/open.h"
#include "workload/conv2d_reference.h"
#include "workload/conv_layer.h"

namespace vantage::bench {
namespace {

struct Case {
  isa::Config config;
  MemoryTiming memory;
  ops::Layer layer;
};

// Cycles of the layer on random values, whose result is right.
double measured(const Case& c, std::mt19937_64& random) {
  const Conv2dShape& s = c.layer.shape;
  driver::AcceleratorOptions options;
  options.memory = c.memory;
  const auto device = driver::open_accelerator("systemc:", c.config, options);
  const Tensor inputs = random_tensor(kInt32, {s.batch, s.in_channels, s.height, s.width}, c.config.inp_bits(), random);
  const Tensor weights =
      random_tensor(kInt32, {s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, c.config.wgt_bits(), random);
  std::optional<Tensor> bias;
  if (c.layer.epilogue.bias) bias = random_tensor(kInt32, {1, s.out_channels}, 12, random);
  workload::ConvLayer layer(*device, "layer", s, c.layer.epilogue, weights, bias,
                            [&](const Conv2dShape&) { return c.layer.mapping; });
  const auto output = layer.run(inputs, false);
  const std::string wrong = workload::first_difference(
      workload::conv2d_reference(c.config, s, c.layer.epilogue, inputs, weights, bias), output.values);
  if (!wrong.empty()) fail("{} on {}: {}", to_text(s), c.config.name(), wrong);
  return static_cast<double>(output.result.cycles->count());
}

int run(uint64_t layers, uint64_t seed, double show) {
  const std::vector<isa::Config> configs = eight_configs();
  const std::vector<std::string> memories = {"m64", "narrow", "ddr3"};
  std::vector<double> errors;  // in per cent
  for (uint64_t i = 0; i < layers; ++i) {
    std::mt19937_64 random(seed + i);
    const isa::Config& config = configs[i % configs.size()];
    Case c{config, memory_setting(memories[i / configs.size() % memories.size()], config.clock_mhz()), {}};
    c.layer.shape = random_conv2d_shape(random, 0, 100'000'000);
    c.layer.epilogue = {random() % 2 == 0, static_cast<int>(random() % 2 * 8), -128, 127};
    c.layer.mapping = ops::map_vta_conv2d(c.layer.shape, c.layer.epilogue, config, {}, c.memory);
    const double cycles = measured(c, random);
    const auto estimate = static_cast<double>(vta::estimate_cycles(ops::compile_layer(c.layer, config), c.memory));
    errors.push_back(100 * std::abs(estimate / cycles - 1));
    if (errors.back() < show) continue;
    std::printf("seed %llu: %s on %s, memory %s: %.0f cycles, estimated %.0f\n",
                static_cast<unsigned long long>(seed + i), to_text(c.layer.shape).c_str(), config.name().c_str(),
                c.memory.name.c_str(), cycles, estimate);
  }
  std::sort(errors.begin(), errors.end());
  return report({{fmt::format("{} random layers from seed {}: estimate against systemc:, median", layers, seed),
                  errors[errors.size() / 2], 1, false, "%"},
                 {"the same, the worst", errors.back(), 3, false, "%"}});
}

}  // namespace
}  // namespace vantage::bench

int main(int argc, char** argv) {
  uint64_t layers = 1000, seed = 1;
  double show = 3;
  CLI::App app{"estimates of random layers against systemc:"};
  app.add_option("--layers", layers, "how many")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seed", seed, "of the first; each layer has the next")->capture_default_str();
  app.add_option("--show", show, "per cent from which on a layer is printed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return vantage::bench::run(layers, seed, show);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
