#include "compiler/ops/gemm.h"

#include "hw/spec/assembly.h"
#include "hw/spec/verifier.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/random_config.h"

using namespace vantage;
using namespace vantage::compiler;

TEST_CASE("blocks are chosen to fit, and blocks that do not fit are refused", "[unit]") {
  const auto config = spec::Config::vta_default();
  const GemmBlocks chosen = choose_gemm_blocks(config, {1000, 1000, 1000}, {0, 0, 0});
  CHECK(chosen.m * chosen.k / 16 <= 2048);
  CHECK_NOTHROW(build_gemm(config, {1000, 1000, 1000}, chosen));
  CHECK(ERROR_OF(build_gemm(config, {1, 1024, 1024}, {1, 1024, 1024})) ==
        "a block of B needs 4096 elements of the wgt scratchpad, which has 1024 left of 1024; use smaller blocks or "
        "fewer virtual threads");
  // A side that is given stays, and the others shrink around it.
  const GemmBlocks wide = choose_gemm_blocks(config, {1, 1024, 4096}, {0, 0, 4096});
  CHECK(wide.n == 4096);
  CHECK(wide.k == 64);
  CHECK_NOTHROW(build_gemm(config, {1, 1024, 4096}, wide));
  GemmProblem bad{1, 1, 1};
  bad.virtual_threads = 0;
  CHECK_THAT(ERROR_OF(build_gemm(config, bad, {1, 1, 1})), ContainsSubstring("at least 1 virtual thread"));
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
