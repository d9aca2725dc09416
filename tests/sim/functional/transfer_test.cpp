#include "tests/catch.h"
#include "tests/support/random_config.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_functional_transfer_test {

using namespace vantage;
using test::TextMachine;

TEST_CASE("a 2D load strides through DRAM and lays zeros around the tile", "[unit]") {
  TextMachine m;
  for (int i = 0; i < 32; ++i) m.poke(64 * static_cast<uint64_t>(i), 100 + i, 4);
  // Dirty the scratchpad first, so that pads are seen to be written.
  const auto result = m.run(
      "load.acc sram=0 dram=0 y=1 x=20 stride=20\n"
      "load.acc sram=0 dram=8 y=2 x=2 stride=10 pad=1,1,1,2 push=next\n"
      "store.out sram=0 dram=500 y=1 x=20 stride=20 pop=prev");
  REQUIRE(result.ok());
  const std::vector<int> expected = {0, 0, 0, 0, 0, 0, 108, 109, 0, 0, 0, 118, 119, 0, 0, 0, 0, 0, 0, 0};
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i);
    CHECK(m.peek(16 * (500 + i)) == expected[i]);
  }
  CHECK(result.counters.acc_load_nbytes == (20 + 4) * 64);  // pads are free
}

TEST_CASE("ACC8 sign-extends bytes and counts the bytes really read", "[unit]") {
  TextMachine m;
  m.poke(16, -5, 1);
  m.poke(17, 7, 1);
  m.poke_uop(1000, {0, 0, 0});
  const auto result = m.run(
      "load.uop sram=0 dram=1000 y=1 x=1 stride=1\n"
      "load.acc8 sram=0 dram=1 y=1 x=1 stride=1\n"
      "alu.shr uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=1 push=next\n"
      "store.out sram=0 dram=500 y=1 x=1 stride=1 pop=prev");
  REQUIRE(result.ok());
  CHECK(m.peek(8000) == -3);
  CHECK(m.peek(8001) == 3);
  CHECK(result.counters.acc_load_nbytes == 16);
}

TEST_CASE("a transfer of no rows or no columns moves nothing, pads included", "[unit]") {
  TextMachine m;
  m.poke(0, 9, 4);
  const auto result = m.run(
      "load.acc sram=0 dram=0 y=1 x=1 stride=1\n"
      "load.acc sram=0 dram=0 y=0 x=5 stride=1 pad=1,1,1,1\n"
      "load.acc sram=0 dram=0 y=5 x=0 stride=1 pad=1,1,1,1 push=next\n"
      "store.out sram=0 dram=500 y=1 x=1 stride=1 pop=prev\n"
      "store.out sram=0 dram=501 y=3 x=0 stride=1");
  REQUIRE(result.ok());
  CHECK(m.peek(8000) == 9);
  CHECK(result.counters.acc_load_nbytes == 64);
  CHECK(result.counters.out_store_nbytes == 16);
}

TEST_CASE("a store cuts each lane to its low bits and strides through DRAM", "[unit]") {
  TextMachine m;
  m.poke(0, 0x1234, 4);
  m.poke(64, -129, 4);
  const auto result = m.run(
      "load.acc sram=0 dram=0 y=1 x=2 stride=2 push=next\n"
      "store.out sram=0 dram=500 y=2 x=1 stride=3 pop=prev");
  REQUIRE(result.ok());
  CHECK(m.peek(16 * 500) == 0x34);
  CHECK(m.peek(16 * 503) == 0x7f);
}

TEST_CASE("four-bit lanes are packed two to a byte, low half first", "[unit]") {
  TextMachine m(test::shipped_config("int4"));
  const uint64_t inp = m.config().element_size(isa::Memory::kInp).count();
  CHECK(inp == 8);
  m.poke(0, 0x78, 1);  // lanes 0 and 1: -8 and 7
  const uint64_t wgt = m.config().element_size(isa::Memory::kWgt).count();
  m.poke(wgt * 10, 0x11, 1);             // output 0: weights 1, 1
  m.poke(wgt * 10 + wgt / 16, 0x03, 1);  // output 1: weights 3, 0
  const auto result = m.run(
      "load.inp sram=0 dram=0 y=1 x=1 stride=1\n"
      "load.wgt sram=0 dram=10 y=1 x=1 stride=1 push=next\n"
      "gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0 pop=prev push=next\n"
      "store.out sram=0 dram=500 y=1 x=1 stride=1 pop=prev");
  REQUIRE(result.ok());
  // -8 + 7 = -1 in the low half, -24 cut to four bits = 8 in the high half.
  CHECK((m.peek(500 * 8) & 0xff) == 0x8f);
}

}  // namespace vantage::test::sim_functional_transfer_test
