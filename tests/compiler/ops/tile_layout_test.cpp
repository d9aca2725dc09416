#include "compiler/ops/tile_layout.h"

#include <random>

#include "base/tensor/random.h"
#include "tests/catch.h"
#include "tests/support/generator.h"
#include "tests/support/random_config.h"

namespace vantage::test::compiler_ops_tile_layout_test {

using namespace vantage;
using isa::Memory;

TEST_CASE("values lie where the layout says", "[unit]") {
  const auto config = test::shipped_config("batch2");
  Tensor matrix(kInt8, {3, 17});
  for (int64_t i = 0; i < matrix.size(); ++i) matrix.set_integer(i, i);
  const auto bytes = ops::pack_tiles(matrix, Memory::kInp, config, "m");
  REQUIRE(bytes.size() == 2 * 2 * 2 * 16);
  const auto tile = [&](size_t tile_row, size_t tile_col, size_t r, size_t c) {
    return static_cast<int>(bytes[((tile_row * 2 + tile_col) * 2 + r) * 16 + c]);
  };
  CHECK(tile(0, 0, 1, 3) == 17 + 3);
  CHECK(tile(0, 1, 0, 0) == 16);
  CHECK(tile(0, 1, 0, 1) == 0);  // padding
  CHECK(tile(1, 0, 0, 5) == 2 * 17 + 5);
  CHECK(tile(1, 0, 1, 5) == 0);
}

TEST_CASE("a bias is repeated for every row of the batch", "[unit]") {
  Tensor bias(kInt32, {1, 16});
  bias.set_integer(3, -7);
  const auto bytes = ops::pack_tiles(bias, Memory::kAcc, test::shipped_config("batch2"), "bias");
  REQUIRE(bytes.size() == 2 * 16 * 4);
  CHECK(bytes[12] == std::byte{0xf9});
  CHECK(bytes[64 + 12] == std::byte{0xf9});
}

TEST_CASE("a value wider than its lane is named", "[unit]") {
  Tensor matrix(kInt64, {2, 2});
  matrix.set_integer(2, 8);
  CHECK(ERROR_OF(ops::pack_tiles(matrix, Memory::kWgt, test::shipped_config("int4"), "B")) ==
        "B: the value 8 at row 1, column 0 does not fit the configuration's 4 bits (-8 to 7)");
}

TEST_CASE("outputs unpack to what was packed as inputs, on square tiles", "[property]") {
  std::mt19937_64 random = test::generator(5);
  for (const char* name : {"default", "batch2", "batch4_8x8", "32x32", "int4"}) {
    const auto config = test::shipped_config(name);
    for (int i = 0; i < 20; ++i) {
      Tensor matrix(kInt8, {1 + static_cast<int64_t>(random() % 40), 1 + static_cast<int64_t>(random() % 70)});
      fill(matrix, random, -(1 << (config.inp_bits() - 1)), (1 << (config.inp_bits() - 1)) - 1);
      const auto bytes = ops::pack_tiles(matrix, Memory::kInp, config, "m");
      CHECK(ops::unpack_tiles(bytes, matrix.shape(), config) == matrix);
    }
  }
}

}  // namespace vantage::test::compiler_ops_tile_layout_test
