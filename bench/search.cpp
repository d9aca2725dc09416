// How near its bound the search brings layers: those of networks that people bring, and random ones over all
// configurations, of such sizes and of smaller ones, with memory setting m64; how long it takes to find a mapping, and
// to compile. Cycles are those of systemc:, whose results are checked first.
//
//   bench_search --layers 200 --seed 1 --show 0.05
//   bench_search --search thorough --smaller 0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "base/error.h"
#include "base/math.h"
#include "base/settings.h"
#include "base/tensor/random.h"
#include "bench/layers.h"
#include "bench/networks.h"
#include "bench/stopwatch.h"
#include "bench/targets.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "compiler/ops/conv2d/vta_work.h"
#include "driver/open/open.h"
#include "workload/conv2d_reference.h"
#include "workload/conv_layer.h"

namespace vantage::bench {
namespace {

struct Result {
  double cycles = 0, steps = 0;  // steps: the busiest engine's, without what comes before and behind
  double tile_steps = 0;         // the ALU's for one tile: as many results as half of the accumulators hold, or all
  vta::Bound bound;
  double choose_ms = 0, compile_ms = 0;
  double instructions = 0;

  double share_of_steps() const { return steps / cycles; }
  double certified() const { return static_cast<double>(bound.cycles()); }
  double gap() const { return cycles / certified() - 1; }
  // Of the bound, more than so much is neither step nor beat.
  bool latency_rules() const { return certified() > 1.03 * steps; }
  // What the ALU does for a tile, before its sums and behind them, hides behind other tiles' sums: the first one's and
  // the last one's does not.
  bool one_tile_rules() const { return tile_steps > 0.1 * steps; }
  bool judged() const { return !latency_rules() && !one_tile_rules(); }
};

// Chooses, compiles, runs and checks.
Result measure(const isa::Config& config, const Conv2dShape& shape, const ops::Epilogue& epilogue,
               ops::SearchEffort effort) {
  Result r;
  const vta::Work work = ops::vta_conv2d_work(shape, epilogue, config);
  r.bound = vta::bound_of(work, config, {});
  r.steps = static_cast<double>(ops::least_steps(work));
  const auto half = static_cast<int64_t>(config.depth(isa::Memory::kAcc).count()) / 2;
  r.tile_steps = static_cast<double>(std::min(half, work.results) * (work.first_steps + work.result_steps));
  // What disturbs a search only ever makes it slower.
  ops::VtaConv2dMapping mapping;
  r.choose_ms = r.compile_ms = INFINITY;
  for (int repeats = effort == ops::SearchEffort::kThorough ? 1 : 3; repeats > 0; --repeats) {
    auto start = Clock::now();
    mapping = ops::search_vta_conv2d(shape, epilogue, config, {}, {}, effort).mapping;
    r.choose_ms = std::min(r.choose_ms, milliseconds_since(start));
    start = Clock::now();
    r.instructions = static_cast<double>(ops::compile_layer({shape, epilogue, mapping}, config).insns.size());
    r.compile_ms = std::min(r.compile_ms, milliseconds_since(start));
  }

  std::mt19937_64 random(1);
  const Tensor inputs =
      random_tensor(kInt32, {shape.batch, shape.in_channels, shape.height, shape.width}, config.inp_bits(), random);
  const Tensor weights = random_tensor(kInt32, {shape.out_channels, shape.in_channels, shape.kernel_h, shape.kernel_w},
                                       config.wgt_bits(), random);
  std::optional<Tensor> bias;
  if (epilogue.bias) bias = random_tensor(kInt32, {1, shape.out_channels}, std::min(12, config.acc_bits()), random);
  const auto device = driver::open_accelerator("systemc:", config);
  workload::ConvLayer layer(*device, "layer", shape, epilogue, weights, bias,
                            [&](const Conv2dShape&) { return mapping; });
  const auto output = layer.run(inputs, false);
  const std::string wrong = workload::first_difference(
      workload::conv2d_reference(config, shape, epilogue, inputs, weights, bias), output.values);
  if (!wrong.empty()) fail("{} on {}: {}", to_text(shape), config.name(), wrong);
  r.cycles = static_cast<double>(output.result.cycles->count());
  if (r.cycles < r.certified()) fail("{} on {} beats its bound", to_text(shape), config.name());
  return r;
}

void print(const std::string& config, const Conv2dShape& shape, const Result& r) {
  std::printf("%-12s %-42s %10.0f %10.0f %7.3f %6.2f %% %-9s %6.0f %7.1f %7.1f\n", config.c_str(),
              to_text(shape).c_str(), r.steps, r.cycles, r.share_of_steps(), 100 * r.gap(),
              std::string(r.bound.binds()).c_str(), r.instructions, r.choose_ms, r.compile_ms);
  std::fflush(stdout);
}

double at_quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<size_t>(q * static_cast<double>(values.size())))];
}

struct Times {
  std::vector<double> choose, compile;  // in milliseconds; compiling: for a thousand instructions
  void add(const Result& r) {
    choose.push_back(r.choose_ms);
    if (r.instructions >= 1000) compile.push_back(r.compile_ms * 1000 / r.instructions);
  }
};

std::vector<Target> network_targets(ops::SearchEffort effort, Times& times) {
  const isa::Config config = isa::Config::vta_default();
  const ops::Epilogue epilogue = {true, 8, 0, 127};
  std::vector<Target> targets;
  for (const Network& network : networks()) {
    std::printf("%s on the default configuration\n", network.name.c_str());
    double least = 1;
    for (const Conv2dShape& shape : network.layers) {
      const Result r = measure(config, shape, epilogue, effort);
      print("", shape, r);
      if (r.judged()) least = std::min(least, r.share_of_steps());
      times.add(r);
    }
    const bool pointwise = network.name.starts_with("MobileNet");
    targets.push_back({network.name + ": steps / cycles, the least", least, pointwise ? 0.95 : 0.97, true, "x"});
  }
  const Result product = measure(config, as_conv2d({.m = 1024, .n = 1024, .k = 1024}), {false, 8, 0, 127}, effort);
  print("", as_conv2d({.m = 1024, .n = 1024, .k = 1024}), product);
  times.add(product);
  targets.push_back({"1024x1024x1024: steps / cycles", product.share_of_steps(), 0.99, true, "x"});
  return targets;
}

// How far a set of layers is from its bounds.
struct Spread {
  double share, median, ninety;  // bound / cycles, geometric mean; gaps in percent

  explicit Spread(const std::vector<Result>& results) {
    std::vector<double> gaps;
    double logarithms = 0;
    for (const Result& r : results) {
      gaps.push_back(100 * r.gap());
      logarithms += std::log(r.certified() / r.cycles);
    }
    share = std::exp(logarithms / static_cast<double>(gaps.size()));
    median = at_quantile(gaps, 0.5);
    ninety = at_quantile(gaps, 0.9);
  }
};

void print_row(const std::string& name, const std::vector<Result>& results) {
  if (results.empty()) return;
  const Spread spread(results);
  std::printf("%-40s %7zu %15.3f %6.2f %% %6.2f %%\n", name.c_str(), results.size(), spread.share, spread.median,
              spread.ninety);
}

// How much lies at how long layers take.
void print_spreads(const std::string& name, const std::vector<Result>& results) {
  const auto those_of = [&](double from, double to) {
    std::vector<Result> found;
    for (const Result& r : results) {
      if (r.cycles >= from && r.cycles < to) found.push_back(r);
    }
    return found;
  };
  print_row(name, results);
  print_row("  of up to 10000 cycles", those_of(0, 10e3));
  print_row("  of 10000 to 40000", those_of(10e3, 40e3));
  print_row("  of 40000 and more", those_of(40e3, INFINITY));
}

struct RandomLayers {
  uint64_t layers = 200, smaller = 100;  // how many
  // So many multiplications as networks' layers have: C4, the least of ResNet-18's, has 6.4 million.
  int64_t least = 6'000'000, most = 1'000'000'000;
  uint64_t seed = 1;   // of the first; each has the next
  double show = 0.05;  // the gap from which on a layer is printed
};

std::vector<Result> measure_random(uint64_t layers, int64_t least, int64_t most, const RandomLayers& options,
                                   ops::SearchEffort effort, Times& times) {
  const std::filesystem::path folder = std::filesystem::path(VANTAGE_CONFIGS) / "accelerators";
  std::vector<isa::Config> configs;
  for (const std::string& name : settings_in(folder)) configs.push_back(isa::Config::load(folder / (name + ".json")));
  std::printf("%llu random layers of %g to %g million multiplications over %zu configurations\n",
              static_cast<unsigned long long>(layers), static_cast<double>(least) / 1e6,
              static_cast<double>(most) / 1e6, configs.size());
  std::vector<Result> results;
  for (uint64_t i = 0; i < layers; ++i) {
    std::mt19937_64 random(options.seed + i);
    const isa::Config& config = configs[i % configs.size()];
    const Conv2dShape shape = random_conv2d_shape(random, least, most);
    const ops::Epilogue epilogue = {random() % 2 == 0,
                                    static_cast<int>(random() % 2 * std::min(8, config.acc_bits() - 1)), 0,
                                    (1 << std::min(7, config.out_bits() - 1)) - 1};
    const Result r = measure(config, shape, epilogue, effort);
    if (r.gap() >= options.show) print(config.name(), shape, r);
    times.add(r);
    results.push_back(r);
  }
  return results;
}

std::vector<Target> random_targets(const RandomLayers& options, ops::SearchEffort effort, Times& times) {
  const auto results = measure_random(options.layers, options.least, options.most, options, effort, times);
  const auto smaller = measure_random(options.smaller, 0, options.least, options, effort, times);
  std::printf("\n%-40s %7s %15s %8s %8s\n", "random layers", "layers", "bound / cycles", "median", "90 %");
  print_spreads(fmt::format("{:g} million multiplications and more", static_cast<double>(options.least) / 1e6),
                results);
  print_spreads("fewer", smaller);
  const Spread spread(results);
  return {{fmt::format("{} random layers from seed {}: bound / cycles, geometric mean", options.layers, options.seed),
           spread.share, 0.95, true, "x"},
          {"the same: certified gap, median", spread.median, 2, false, "%"},
          {"the same: certified gap of 90 %", spread.ninety, 8, false, "%"}};
}

int run(const RandomLayers& options, ops::SearchEffort effort) {
  Times times;
  std::vector<Target> targets = network_targets(effort, times);
  for (Target& target : random_targets(options, effort, times)) targets.push_back(std::move(target));
  const double most = effort == ops::SearchEffort::kThorough ? 5000 : 100;
  targets.push_back({"a mapping found, 90 % of layers", at_quantile(times.choose, 0.9), most, false, "ms"});
  targets.push_back({"the same, the slowest", at_quantile(times.choose, 1), most, false, "ms"});
  targets.push_back({"compiling a thousand instructions, the slowest", at_quantile(times.compile, 1), 15, false, "ms"});
  return report(targets);
}

}  // namespace
}  // namespace vantage::bench

int main(int argc, char** argv) {
  vantage::bench::RandomLayers options;
  vantage::ops::SearchEffort effort = vantage::ops::SearchEffort::kQuick;
  const std::map<std::string, vantage::ops::SearchEffort> efforts = {
      {"brief", vantage::ops::SearchEffort::kBrief},
      {"quick", vantage::ops::SearchEffort::kQuick},
      {"thorough", vantage::ops::SearchEffort::kThorough}};
  CLI::App app{"layers against their bounds"};
  app.add_option("--layers", options.layers, "random ones as large as networks' layers, which are judged")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--smaller", options.smaller, "random ones below, which are not")->capture_default_str();
  app.add_option("--least", options.least, "multiplications that those have which are judged")
      ->check(CLI::Range(100'000, 100'000'000))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of the first; each has the next")->capture_default_str();
  app.add_option("--show", options.show, "gap from which on a random layer is printed")->capture_default_str();
  app.add_option("--search", effort, "brief, quick (the default) or thorough")
      ->transform(CLI::CheckedTransformer(efforts))
      ->option_text("WHICH");
  CLI11_PARSE(app, argc, argv);
  try {
    return vantage::bench::run(options, effort);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
