// Matrix multiplies of random sizes on every shipped configuration, through builder, verifier and device, against plain
// loops.
#include "workload/conv_layer.h"

#include <random>

#include "base/tensor/random.h"
#include "compiler/ops/matmul/vta_blocks.h"
#include "driver/open/open.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "tests/support/random_config.h"
#include "workload/conv2d_reference.h"

namespace vantage::test::workload_conv_layer_test {

using namespace vantage;
using namespace vantage::workload;

namespace {

// Any values of so many bits.
Tensor random_matrix(int64_t rows, int64_t columns, int bits, std::mt19937_64& random) {
  Tensor matrix(kInt32, {rows, columns});
  fill(matrix, random, -(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1);
  return matrix;
}

}  // namespace

TEST_CASE("any size, blocking, bias, shift and number of threads gives the plain result", "[property]") {
  std::mt19937_64 random = test::generator(7);
  for (const std::string& name : test::shipped_config_names()) {
    const auto config = test::shipped_config(name);
    const auto device = driver::open_accelerator("fsim:", config);
    for (int i = 0; i < test::rounds(4); ++i) {
      const auto pick = [&](int64_t n) { return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
      const int64_t m = pick(70), k = pick(200), n = pick(150);
      const MatmulShape product{.m = m, .n = n, .k = k, .dtype = kInt8};
      const int threads = static_cast<int>(pick(3));
      ops::Epilogue epilogue;
      epilogue.shift = static_cast<int>(random() % 12);
      epilogue.clip_max = (1 << (config.out_bits() - 1)) - 1;
      epilogue.clip_min = random() % 2 == 0 ? 0 : -epilogue.clip_max - 1;
      const Tensor inputs = random_matrix(m, k, config.inp_bits(), random);
      const Tensor weights = random_matrix(n, k, config.wgt_bits(), random);
      std::optional<Tensor> bias;
      if (random() % 2 == 0) bias = random_matrix(1, n, 16, random);
      // In blocks, or as the search has it.
      ConvLayer::ChooseMapping choose;
      if (i % 2 == 0) {
        choose = [&](const Conv2dShape&) {
          return ops::gemm_tiling(config, product, ops::choose_gemm_blocks(config, product, bias.has_value(), threads),
                                  threads);
        };
      }
      const Conv2dShape shape = as_conv2d(product);
      ConvLayer layer(*device, "gemm", shape, epilogue, weights, bias, choose);
      const auto output = layer.run(inputs, false);
      INFO(config.name() << " " << m << "x" << k << "x" << n << " threads " << threads);
      CHECK(output.result.warnings.empty());
      const Tensor expected = conv2d_reference(config, shape, epilogue, inputs, weights, bias);
      REQUIRE(output.values == expected);
      // Whatever order of stages the tokens leave open, the result is the same: they leave out none.
      driver::RunOptions options;
      for (uint64_t seed = 0; seed < 3; ++seed) {
        options.interleaving_seed = seed;
        REQUIRE(layer.run(inputs, false, options).values == expected);
      }
    }
  }
}

}  // namespace vantage::test::workload_conv_layer_test
