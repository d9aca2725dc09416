// A network of one's own on an accelerator: built in code, quantized, parted, compiled, run cycle by cycle, and
// accounted for layer by layer. docs/tutorials/network.md explains each step.
#include <fmt/format.h>

#include <random>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/text.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "workload/graph_on_processor.h"
#include "workload/network_run.h"
#include "workload/prepared_network.h"
#include "workload/quantization_report.h"

using namespace vantage;
using graph::Graph;
using graph::Value;
using ops::Integers;

namespace {

Tensor random_numbers(Tensor::Shape shape, uint64_t seed, double most) {
  std::mt19937_64 random(seed);
  Tensor tensor(kFloat32, std::move(shape));
  fill(tensor, random);
  for (float& value : tensor.values<float>()) value *= static_cast<float>(most);
  return tensor;
}

// Two convolutions with a residual around the second, a pooling, and classes.
Graph example() {
  Graph g("example");
  auto weights = [&, seed = uint64_t{1}](const char* name, Tensor::Shape shape) mutable {
    return g.constant(random_numbers(std::move(shape), seed++, 0.2), name);
  };
  const Value image = g.input("image", {kFloat32, {1, 3, 32, 32}});
  const Value first = g.call("conv2d", {image, weights("first.weight", {16, 3, 3, 3})},
                             {{"padding", Integers{1, 1, 1, 1}}, {"strides", Integers{2, 2}}}, "first");
  const Value edges = g.call("relu", {first}, {}, "edges");
  const Value second = g.call("conv2d", {edges, weights("second.weight", {16, 16, 3, 3})},
                              {{"padding", Integers{1, 1, 1, 1}}}, "second");
  const Value block = g.call("relu", {g.call("add", {second, edges})}, {}, "block");
  const Value pool = g.call("max_pool2d", {block}, {{"kernel", Integers{2, 2}}, {"strides", Integers{2, 2}}}, "pool");
  const Value mean = g.call("global_avg_pool2d", {pool}, {}, "mean");
  const Value flat = g.call("reshape", {mean}, {{"shape", Integers{1, 16}}}, "flat");
  g.set_outputs({g.call("dense", {flat, weights("classes.weight", {10, 16})}, {}, "classes")});
  return g;
}

}  // namespace

int main() {
  const Graph model = example();
  fmt::print("The network:\n{}\n", to_text(model));

  graph::Inputs image;
  image.emplace("image", random_numbers({1, 3, 32, 32}, 100, 1));
  workload::PrepareOptions options;
  options.compile.config = isa::Config::vta_default();
  const workload::PreparedNetwork prepared = workload::prepare_network(model, {image}, options);

  fmt::print("In integers:\n");
  for (const workload::QuantizedLayer& layer : workload::quantization_report(prepared, image)) {
    fmt::print("  {:<12} scale {:<10.4g} SNR {:4.1f} dB\n", layer.name, layer.scale, layer.snr_db);
  }

  fmt::print("\nWho takes what:\n");
  for (const network::Placement& placement : prepared.parts.placements) {
    fmt::print("  {:<12} {}\n", placement.node, placement.device.empty() ? placement.reason : "the accelerator");
  }

  const auto processor = driver::Processor::open("cpu:");
  const auto accelerator = driver::open_accelerator("systemc:", *options.compile.config);
  driver::NetworkExecutor executor(std::make_shared<const Network>(prepared.compiled.network),
                                   cpu::jit(prepared.compiled.functions), *processor, accelerator.get());
  const workload::NetworkMeasurement measured = workload::measure_network(executor, image);
  fmt::print("\nStep by step:\n");
  for (const workload::LayerMeasurement& layer : measured.layers) {
    // Times of the processor are never the same twice.
    if (!layer.cycles) {
      fmt::print("  {:<28} {:<4} {}\n", layer.name, layer.device, layer.op);
      continue;
    }
    fmt::print("  {:<28} {:<4} {:>6} cycles, at least {:>5} for the {}; {:>5} bytes\n", layer.name, layer.device,
               layer.cycles->count(), *layer.bound, layer.binds, layer.bytes.count());
  }
  fmt::print("The accelerator works for {} cycles.\n\n", measured.accelerator_cycles.count());

  const Tensor expected = workload::run_on_processor(prepared.parts.graph, image)[0];
  const auto difference = vantage::difference(expected, measured.outputs[0]);
  if (difference) fail("the result is wrong: {}", *difference);
  fmt::print("All classes equal those of the same integers on the processor.\n");
  return 0;
}
