// Matrix multiplies of random sizes on every shipped configuration, through builder, verifier and device, against plain
// loops.
#include "cli/conv_layer.h"

#include <random>

#include "compiler/ops/matmul/vta_blocks.h"
#include "driver/open/open.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"

using namespace vantage;
using namespace vantage::cli;
using ops::GemmProblem;
using ops::Matrix;

namespace {

Matrix random_matrix(size_t rows, size_t cols, int bits, std::mt19937_64& random) {
  Matrix matrix(rows, cols);
  const uint64_t range = uint64_t{1} << bits;
  for (int32_t& value : matrix.values)
    value = static_cast<int32_t>(static_cast<int64_t>(random() % range) - static_cast<int64_t>(range / 2));
  return matrix;
}

}  // namespace

TEST_CASE("any size, blocking, bias, shift and number of threads gives the plain result", "[property]") {
  std::mt19937_64 random(7);
  for (const std::string& name : test::shipped_config_names()) {
    const auto config = test::shipped_config(name);
    const auto device = driver::open_accelerator("fsim:", config);
    for (int i = 0; i < 8; ++i) {
      const auto pick = [&](uint64_t n) { return 1 + random() % n; };
      GemmProblem problem{pick(70), pick(200), pick(150), {}, static_cast<int>(pick(3))};
      problem.epilogue.shift = static_cast<int>(random() % 12);
      problem.epilogue.clip_max = (1 << (config.out_bits() - 1)) - 1;
      problem.epilogue.clip_min = random() % 2 == 0 ? 0 : -problem.epilogue.clip_max - 1;
      const Matrix a = random_matrix(problem.m, problem.k, config.inp_bits(), random);
      const Matrix b = random_matrix(problem.n, problem.k, config.wgt_bits(), random);
      std::optional<Matrix> bias;
      if (random() % 2 == 0) bias = random_matrix(1, problem.n, 16, random);
      problem.epilogue.bias = bias.has_value();
      // In blocks, or as the search has it.
      ConvLayer::ChooseTiling choose;
      if (i % 2 == 0) {
        choose = [&](const ops::Conv2dShape&) {
          return gemm_tiling(config, problem, choose_gemm_blocks(config, problem, {0, 0, 0}));
        };
      }
      const ops::Images inputs = images_of(a), weights = images_of(b);
      ConvLayer layer(*device, "gemm", problem.shape(), problem.epilogue, weights, bias, choose);
      const auto output = layer.run(inputs, false);
      INFO(config.name() << " " << problem.m << "x" << problem.k << "x" << problem.n << " threads "
                         << problem.virtual_threads);
      CHECK(output.result.warnings.empty());
      const ops::Images expected = conv_reference(config, problem.shape(), problem.epilogue, inputs, weights, bias);
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
