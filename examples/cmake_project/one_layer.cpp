// A 3 x 3 convolution, compiled for an accelerator and run on the simulator that knows its cycles.
//
//   one_layer [CONFIGURATION.json]
#include <fmt/format.h>

#include <random>

#include "base/error.h"
#include "base/tensor/random.h"
#include "driver/open/open.h"
#include "workload/conv2d_reference.h"
#include "workload/conv_layer.h"

int main(int argc, char** argv) try {
  using namespace vantage;
  const isa::Config config = argc > 1 ? isa::Config::load(argv[1]) : isa::Config::vta_default();
  const auto device = driver::open_accelerator("systemc:", config);

  const Conv2dShape shape{
      .in_channels = 64, .height = 14, .width = 14, .out_channels = 64, .kernel_h = 3, .kernel_w = 3, .pad = 1};
  const ops::Epilogue epilogue{.shift = 8};
  std::mt19937_64 random(1);
  const Tensor inputs = random_tensor(kInt8, {1, 64, 14, 14}, config.inp_bits(), random);
  const Tensor weights = random_tensor(kInt8, {64, 64, 3, 3}, config.wgt_bits(), random);

  workload::ConvLayer layer(*device, "layer", shape, epilogue, weights, std::nullopt);
  const auto output = layer.run(inputs, false);
  fmt::print("{} instructions, {} cycles\n", output.instructions, output.result.cycles->count());

  const Tensor expected = workload::conv2d_reference(config, shape, epilogue, inputs, weights, std::nullopt);
  const std::string difference = workload::first_difference(expected, output.values);
  fmt::print("{}\n", difference.empty() ? "The result is that of plain loops." : difference);
  return difference.empty() ? 0 : 1;
} catch (const vantage::Error& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 2;
}
