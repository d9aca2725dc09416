#include "tests/catch.h"
#include "tests/support/random_config.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_functional_gemm_test {

using namespace vantage;
using test::TextMachine;

TEST_CASE("consecutive steps on one destination lose no sum", "[unit]") {
  for (const std::string& name : test::shipped_config_names()) {
    TextMachine m(test::shipped_config(name));
    const int lanes = m.config().block_in();
    const int bits = m.config().inp_bits();
    for (int i = 0; i < lanes; ++i) {  // every input lane of row 0 is 1; so is every weight of output 0
      const uint64_t bit = static_cast<uint64_t>(i * bits);
      m.poke(bit / 8, bits == 8 ? 1 : 0x11, 1);
      m.poke(65536 + bit / 8, bits == 8 ? 1 : 0x11, 1);
    }
    const uint64_t wgt = 65536 / m.config().element_size(isa::Memory::kWgt).count();
    const auto result = m.run(
        "load.inp sram=0 dram=0 y=1 x=1 stride=1\n"
        "load.wgt sram=0 dram=" +
        std::to_string(wgt) +
        " y=1 x=1 stride=1 push=next\n"
        "gemm uop=0:1 out=2 in=3 dst=0,0 src=0,0 wgt=0,0 pop=prev push=next\n"
        "alu.shr uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=2 pop=next push=next\n"
        "store.out sram=0 dram=40000 y=1 x=1 stride=1 pop=prev push=prev\n"
        "store.out sram=0 dram=40000 y=1 x=1 stride=1 pop=prev");
    INFO(name << ": " << result.message);
    // The first store's token lets the ALU run; the second store sees its result.
    REQUIRE(result.ok());
    CHECK(result.counters.gemm_counter == 6);
    const int expected = 6 * lanes / 4;
    const int64_t got = m.peek(40000 * m.config().element_size(isa::Memory::kOut).count());
    CHECK((bits == 8 ? got : (got & 0xf)) == (bits == 8 ? expected : (expected & 0xf)));
  }
}

TEST_CASE("a reset zeroes its destinations and is not counted", "[unit]") {
  TextMachine m;
  for (uint64_t i = 0; i < 4; ++i) m.poke(64 * i, 9, 4);
  const auto result = m.run(
      "load.acc sram=0 dram=0 y=1 x=4 stride=4\n"
      "gemm.reset uop=0:1 out=1 in=2 dst=0,2 src=0,0 wgt=0,0 push=next\n"
      "store.out sram=0 dram=500 y=1 x=4 stride=4 pop=prev");
  REQUIRE(result.ok());
  CHECK(m.peek(16 * 500) == 0);
  CHECK(m.peek(16 * 501) == 9);
  CHECK(m.peek(16 * 502) == 0);
  CHECK(m.peek(16 * 503) == 9);
  CHECK(result.counters.gemm_counter == 0);
}

TEST_CASE("products of the most negative operands are exact", "[unit]") {
  // -128 times -128 sixteen times over, where packed 8-bit arithmetic is easiest to get wrong.
  TextMachine m;
  for (uint64_t i = 0; i < 16; ++i) m.poke(i, -128, 1);
  for (uint64_t i = 0; i < 256; ++i) m.poke(4096 + i, -128, 1);
  const auto result = m.run(
      "load.inp sram=0 dram=0 y=1 x=1 stride=1\n"
      "load.wgt sram=0 dram=16 y=1 x=1 stride=1 push=next\n"
      "gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0 pop=prev\n"
      "alu.shr uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=12 push=next\n"
      "store.out sram=0 dram=500 y=1 x=1 stride=1 pop=prev");
  REQUIRE(result.ok());
  for (uint64_t lane = 0; lane < 16; ++lane) CHECK(m.peek(8000 + lane) == 64);
}

}  // namespace vantage::test::sim_functional_gemm_test
