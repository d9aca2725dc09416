// Matrix multiplies of random sizes on every shipped configuration, through device and verifier, against plain loops.
#include "compiler/ops/gemm.h"

#include <random>

#include "cli/dense_layer.h"
#include "driver/device/device.h"
#include "hw/spec/assembly.h"
#include "hw/spec/verifier.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/random_config.h"

using namespace vantage;
using namespace vantage::compiler;

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
    const auto device = driver::Device::open("fsim:", config);
    for (int i = 0; i < 8; ++i) {
      const auto pick = [&](uint64_t n) { return 1 + random() % n; };
      GemmProblem problem{pick(70), pick(200), pick(150)};
      problem.virtual_threads = static_cast<int>(pick(3));
      problem.shift = static_cast<int>(random() % 12);
      problem.clip_max = (1 << (config.out_bits() - 1)) - 1;
      problem.clip_min = random() % 2 == 0 ? 0 : -problem.clip_max - 1;
      const Matrix a = random_matrix(problem.m, problem.k, config.inp_bits(), random);
      const Matrix b = random_matrix(problem.n, problem.k, config.wgt_bits(), random);
      std::optional<Matrix> bias;
      if (random() % 2 == 0) bias = random_matrix(1, problem.n, 16, random);
      cli::DenseLayer layer(*device, "gemm", problem, {pick(100), pick(100), pick(100)}, b, bias);
      const auto output = layer.run(a, false);
      INFO(config.name() << " " << problem.m << "x" << problem.k << "x" << problem.n << " threads "
                         << problem.virtual_threads);
      CHECK(output.result.warnings.empty());
      REQUIRE(output.values == cli::dense_reference(config, problem, a, b, bias));
    }
  }
}

TEST_CASE("blocks are chosen to fit, and blocks that do not fit are refused", "[unit]") {
  const auto config = spec::Config::vta_default();
  const GemmBlocks chosen = choose_gemm_blocks(config, {1000, 1000, 1000}, {256, 256, 256});
  CHECK(chosen.m * chosen.k / 16 <= 2048);
  CHECK_NOTHROW(build_gemm(config, {1000, 1000, 1000}, chosen));
  CHECK(ERROR_OF(build_gemm(config, {1, 1024, 1024}, {1, 1024, 1024})) ==
        "a block of B needs 4096 elements of the wgt scratchpad, which has 1024 left of 1024; use smaller blocks or "
        "fewer virtual threads");
  CHECK_THAT(ERROR_OF(build_gemm(config, {0, 1, 1}, {1, 1, 1})), ContainsSubstring("at least 1"));
}

TEST_CASE("the program of a small matrix multiply reads as one would write it", "[golden]") {
  GemmProblem problem{4, 64, 48};
  problem.bias = true;
  problem.shift = 8;
  problem.virtual_threads = 2;
  const Program program = build_gemm(spec::Config::vta_default(), problem, {2, 32, 48});
  CHECK(to_text(verify(program, {})) == "");
  const std::string difference = test::compare_golden("gemm_4x64x48.s", disassemble(program));
  if (!difference.empty()) FAIL(difference);
}
