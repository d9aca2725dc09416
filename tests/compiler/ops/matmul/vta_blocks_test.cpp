#include "compiler/ops/matmul/vta_blocks.h"

#include "compiler/ops/conv2d/vta_layer.h"
#include "hw/program/assembly.h"
#include "hw/program/verifier.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/random_config.h"

namespace vantage::test::ops_matmul_vta_blocks_test {

using namespace vantage;
using namespace vantage::ops;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

Program compiled(const MatmulShape& shape, const GemmBlocks& blocks, int virtual_threads = 1,
                 const Epilogue& epilogue = {}) {
  return compile_layer({as_conv2d(shape), epilogue, gemm_tiling(kConfig, shape, blocks, virtual_threads)}, kConfig);
}

}  // namespace

TEST_CASE("blocks are chosen to fit, and blocks that do not fit are refused", "[unit]") {
  const MatmulShape cube{.m = 1000, .n = 1000, .k = 1000};
  const GemmBlocks chosen = choose_gemm_blocks(kConfig, cube, false, 1);
  CHECK(chosen.m * chosen.k / 16 <= 2048);
  CHECK_NOTHROW(compiled(cube, chosen));
  CHECK(ERROR_OF(compiled({.m = 1, .n = 1024, .k = 1024}, {1, 1024, 1024})) ==
        "W_wgt needs 4096 elements of vta.wgt, where 1024 are left; vta.wgt holds 1024 in all: compute it in smaller "
        "pieces");
  // A side that is given stays, and the others shrink around it.
  const MatmulShape wide_shape{.m = 1, .n = 4096, .k = 1024};
  const GemmBlocks wide = choose_gemm_blocks(kConfig, wide_shape, false, 1, {0, 0, 4096});
  CHECK(wide.n == 4096);
  CHECK(wide.k == 64);
  CHECK_NOTHROW(compiled(wide_shape, wide));
  CHECK_THAT(ERROR_OF(compiled({}, {1, 1, 1}, 0)), ContainsSubstring("at least 1 virtual thread"));
  CHECK_THAT(ERROR_OF(compiled({.m = 0}, {1, 1, 1})), ContainsSubstring("at least 1"));
}

TEST_CASE("the program of a small matrix multiply reads as one would write it", "[golden]") {
  const MatmulShape shape{.m = 4, .n = 48, .k = 64};
  const Program program = compiled(shape, {2, 32, 48}, 2, {.bias = true, .shift = 8});
  CHECK(to_text(verify(program, {})) == "");
  const std::string difference = test::compare_golden("gemm_4x64x48.s", disassemble(program));
  if (!difference.empty()) FAIL(difference);
}

}  // namespace vantage::test::ops_matmul_vta_blocks_test
