// The compiler's schedules under the cycle-accurate model: every layer beside its bound and what is published for
// hardware of the same size; how long choosing and compiling take. Results are checked before anything is counted.
#include <fmt/format.h>

#include <array>
#include <random>

#include "base/error.h"
#include "base/math.h"
#include "base/tensor/random.h"
#include "bench/layers.h"
#include "bench/stopwatch.h"
#include "bench/targets.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "compiler/ops/conv2d/vta_work.h"
#include "compiler/ops/elementwise/search.h"
#include "driver/open/open.h"
#include "workload/conv2d_reference.h"
#include "workload/conv_layer.h"
#include "workload/elementwise.h"
#include "workload/resnet18.h"

namespace vantage::bench {
namespace {

using isa::Memory;
using ops::Epilogue;

// Cycles at 100 MHz: a Pynq with the best published schedules, and the published Chisel core, Verilated, with memory
// settings M1 and M64, on the same.
struct Published {
  const char* layer;
  uint64_t silicon, chisel_m1, chisel_m64;
};
constexpr Published kPublished[] = {
    {"C2", 569933, 543952, 632475},  {"C3", 296553, 275248, 319961}, {"C4", 134872, 94055, 143135},
    {"C5", 518339, 498927, 543503},  {"C6", 266910, 252073, 274455}, {"C7", 102877, 54525, 82299},
    {"C8", 493359, 476655, 499255},  {"C9", 399373, 243158, 254681}, {"C10", 108090, 39972, 55284},
    {"C11", 734809, 468845, 480557},
};

struct Measured {
  ops::VtaConv2dMapping mapping;
  double cycles = 0, bound = 0, choose_ms = 0, compile_ms = 0;
  size_t instructions = 0;
  double share() const { return bound / cycles; }
};

// Chooses, compiles, runs and checks a layer.
Measured measure(driver::Accelerator& device, const Conv2dShape& shape, const Epilogue& epilogue) {
  const isa::Config& config = device.config();
  Measured m;
  m.bound = static_cast<double>(ops::least_steps(ops::vta_conv2d_work(shape, epilogue, config)));
  auto start = Clock::now();
  m.mapping = ops::map_vta_conv2d(shape, epilogue, config);
  m.choose_ms = milliseconds_since(start);
  m.compile_ms = 1e9;
  for (int i = 0; i < 5; ++i) {
    start = Clock::now();
    m.instructions = ops::compile_layer({shape, epilogue, m.mapping}, config).insns.size();
    m.compile_ms = std::min(m.compile_ms, milliseconds_since(start));
  }
  std::mt19937_64 random(1);
  const Tensor inputs =
      random_tensor(kInt32, {shape.batch, shape.in_channels, shape.height, shape.width}, config.inp_bits(), random);
  const Tensor weights = random_tensor(kInt32, {shape.out_channels, shape.in_channels, shape.kernel_h, shape.kernel_w},
                                       config.wgt_bits(), random);
  std::optional<Tensor> bias;
  if (epilogue.bias) bias = random_tensor(kInt32, {1, shape.out_channels}, 12, random);
  workload::ConvLayer layer(device, "layer", shape, epilogue, weights, bias,
                            [&](const Conv2dShape&) { return m.mapping; });
  const auto output = layer.run(inputs, false);
  const std::string wrong = workload::first_difference(
      workload::conv2d_reference(config, shape, epilogue, inputs, weights, bias), output.values);
  if (!wrong.empty()) fail("a layer on {}: {}", config.name(), wrong);
  m.cycles = static_cast<double>(output.result.cycles->count());
  return m;
}

double geometric_mean(const std::vector<Measured>& all) {
  double sum = 0;
  for (const Measured& m : all) sum += std::log(m.share());
  return std::exp(sum / static_cast<double>(all.size()));
}

std::vector<Target> resnet_targets() {
  const isa::Config config = isa::Config::vta_default();
  const auto device = driver::open_accelerator("systemc:", config);
  std::vector<Target> targets;
  std::vector<Measured> all;
  double choose = 0, compile = 0;
  std::printf("%-5s %10s %10s %7s %10s %10s %10s %6s %9s %10s\n", "layer", "bound", "cycles", "share", "silicon",
              "Chisel M1", "Chisel M64", "insns", "choose ms", "compile ms");
  for (const Published& p : kPublished) {
    const auto& layer = workload::resnet18_layer(p.layer);
    const Measured m = measure(*device, layer.shape, {true, 8, 0, 127});
    std::printf("%-5s %10.0f %10.0f %7.3f %10llu %10llu %10llu %6zu %9.1f %10.1f\n", p.layer, m.bound, m.cycles,
                m.share(), static_cast<unsigned long long>(p.silicon), static_cast<unsigned long long>(p.chisel_m1),
                static_cast<unsigned long long>(p.chisel_m64), m.instructions, m.choose_ms, m.compile_ms);
    const auto best = static_cast<double>(std::min({p.silicon, p.chisel_m1, p.chisel_m64}));
    targets.push_back({fmt::format("{}: bound / cycles", p.layer), m.share(), 0.80, true, "x"});
    targets.push_back({fmt::format("{}: cycles / best published", p.layer), m.cycles / best, 1, false, "x"});
    choose = std::max(choose, m.choose_ms);
    compile = std::max(compile, m.compile_ms);
    all.push_back(m);
  }
  targets.push_back({"C2 to C11: geometric mean of bound / cycles", geometric_mean(all), 0.90, true, "x"});
  targets.push_back({"the slowest choice of a schedule", choose, 1000, false, "ms"});
  targets.push_back({"the slowest compilation", compile, 20, false, "ms"});
  const Measured gemm = measure(*device, as_conv2d({.m = 1, .n = 1024, .k = 1024}), {false, 8, 0, 127});
  targets.push_back({"GEMM 1x1024.1024x1024: share of the bus", gemm.share(), 0.97, true, "x"});
  return targets;
}

// The convolutions of VGG-16, each shape once: programs of many instructions.
Target vgg_target() {
  const isa::Config config = isa::Config::vta_default();
  const auto device = driver::open_accelerator("systemc:", config);
  double least = 1;
  std::printf("VGG-16:");
  for (const auto& [in, size, out] : {std::array<int64_t, 3>{3, 224, 64},
                                      {64, 224, 64},
                                      {64, 112, 128},
                                      {128, 112, 128},
                                      {128, 56, 256},
                                      {256, 56, 256},
                                      {256, 28, 512},
                                      {512, 28, 512},
                                      {512, 14, 512}}) {
    const Measured m = measure(*device, {1, in, size, size, out, 3, 3, 1, 1}, {true, 8, 0, 127});
    std::printf(" %.3f", m.share());
    least = std::min(least, m.share());
  }
  std::printf("\n");
  return {"VGG-16: bound / cycles, the least", least, 0.97, true, "x"};
}

// C = (A + B) >> 1 of a million pairs: reading, computing and writing at once.
Target elementwise_target() {
  const isa::Config config = isa::Config::vta_default();
  const ops::Elementwise layer = ops::combination(1000000, isa::AluOp::kAdd, std::nullopt, 1, -128, 127);
  const auto tiling = ops::search_elementwise(layer, config).tiling;
  const Program program = vta::compile(ops::schedule_elementwise(layer, tiling, config).function(), config);
  const auto device = driver::open_accelerator("systemc:", config);
  std::mt19937_64 random(1);
  const Tensor a = workload::random_elementwise_operand(layer, config, random);
  const Tensor b = workload::random_elementwise_operand(layer, config, random);
  const auto run = workload::run_elementwise(*device, layer, program, a, b);
  const std::string wrong =
      workload::first_value_difference(workload::elementwise_reference(layer, config, a, b), run.values);
  if (!wrong.empty()) fail("A + B: {}", wrong);
  // An addition of two tensors reads twice a step; then a shift and two limits.
  const double steps = 5.0 * static_cast<double>(ceil_div(layer.size, int64_t{config.batch()} * config.block_out()));
  return {"elementwise, a million pairs: bound / cycles", steps / static_cast<double>(run.result.cycles->count()), 0.90,
          true, "x"};
}

std::vector<Target> other_configurations() {
  const std::pair<const char*, isa::Config> configs[] = {
      {"2x16", variant("2x16", {{"LOG_BATCH", 1}})},
      {"4x8", variant("4x8", {{"LOG_BATCH", 2}, {"LOG_BLOCK", 3}, {"LOG_BLOCK_IN", 3}, {"LOG_BLOCK_OUT", 3}})},
      {"1x32", variant("1x32", {{"LOG_BLOCK", 5}, {"LOG_BLOCK_IN", 5}, {"LOG_BLOCK_OUT", 5}})},
      {"1x16x32", variant("1x16x32", {{"LOG_BLOCK_OUT", 5}})},
      {"1x32x16", variant("1x32x16", {{"LOG_BLOCK", 5}, {"LOG_BLOCK_IN", 5}})},
  };
  std::vector<Target> targets;
  for (const auto& [name, config] : configs) {
    const auto device = driver::open_accelerator("systemc:", config);
    std::vector<Measured> all;
    std::printf("%s:", name);
    for (const auto& layer : workload::resnet18_layers()) {
      Conv2dShape shape = layer.shape;
      shape.batch = config.batch();
      all.push_back(measure(*device, shape, {true, 8, 0, 127}));
      std::printf(" %s %.3f", layer.name.c_str(), all.back().share());
    }
    std::printf("\n");
    targets.push_back(
        {fmt::format("{}: geometric mean of bound / cycles", name), geometric_mean(all), 0.85, true, "x"});
  }
  return targets;
}

}  // namespace
}  // namespace vantage::bench

int main() {
  using namespace vantage::bench;
  try {
    std::vector<Target> targets = resnet_targets();
    targets.push_back(vgg_target());
    targets.push_back(elementwise_target());
    for (Target& target : other_configurations()) targets.push_back(std::move(target));
    return report(targets);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
