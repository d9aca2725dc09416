// Programs that docs/isa.md refuses: the core raises its error flag, never hangs, says the same as the functional
// machine and runs the next program.
#include <random>

#include "hw/isa/codec.h"
#include "tests/catch.h"
#include "tests/fuzz/hostile_program.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_rtl_illegal_test {

using namespace vantage;
using sim::RunStatus;
using test::TextMachine;

namespace {

const std::string kUop = "load.uop sram=0 dram=0 y=1 x=2 stride=2\n";

// What either machine says of these lines.
void check_refused(TextMachine& rtl, const std::string& lines, const std::string& part) {
  TextMachine functional;
  for (TextMachine* m : {&rtl, &functional}) {
    m->poke_uop(0, {2047, 2047, 1023});
    m->poke_uop(1, {0, 0, 0});
  }
  const auto expected = functional.run(lines);
  const auto got = rtl.run(lines);
  INFO(lines);
  CHECK_THAT(expected.message, ContainsSubstring(part));
  CHECK(got.message == expected.message);
  CHECK(got.status == expected.status);
  CHECK(rtl.run("alu.add uop=1:2 out=1 in=1 dst=0,0 src=0,0 imm=1").ok());
}

}  // namespace

TEST_CASE("an illegal instruction raises the error flag, and the core runs the next program", "[unit]") {
  TextMachine rtl(test::rtl_machine(isa::Config::vta_default()));
  check_refused(rtl, "load.inp sram=2047 dram=0 y=1 x=2 stride=2", "reaches index 2048 of the input scratchpad");
  check_refused(rtl, "load.inp sram=2040 dram=0 y=1 x=4 stride=4 pad=0,0,3,2", "reaches index 2048");
  check_refused(rtl, "load.wgt sram=0 dram=8191 y=2 x=1 stride=1", "its DRAM range ends at byte 0x200100");
  check_refused(rtl, "load.uop sram=0 dram=0 y=2 x=1 stride=1", "a micro-op load is one unpadded row");
  check_refused(rtl, "load.acc sram=2048 dram=0 y=1 x=1 stride=1", "of the accumulator scratchpad");
  check_refused(rtl, "load.out sram=0 dram=0 y=1 x=1 stride=1", "memory type out cannot be loaded");
  check_refused(rtl, "store.out sram=2047 dram=0 y=1 x=2 stride=2", "reaches index 2048 of the accumulator scratchpad");
  check_refused(rtl, "store.acc sram=0 dram=0 y=1 x=1 stride=1", "memory type acc cannot be stored");
  check_refused(rtl, "store.out sram=0 dram=0 y=1 x=1 stride=1 pad=1,0,0,0", "a store has no pads");
  check_refused(rtl, kUop + "gemm uop=0:1 out=1 in=2 dst=0,1 src=0,0 wgt=0,0", "its destination index reaches 2048");
  check_refused(rtl, kUop + "gemm uop=0:1 out=2 in=1 dst=0,0 src=1,0 wgt=0,0", "its input index reaches 2048");
  check_refused(rtl, kUop + "gemm uop=0:2 out=2 in=1 dst=0,0 src=0,0 wgt=1,0", "its weight index reaches 1024");
  check_refused(rtl, kUop + "gemm uop=2:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0", "uop_end 1 is less than uop_bgn 2");
  check_refused(rtl, kUop + "alu.add uop=0:2 out=2 in=1 dst=0,0 src=1,0", "its source index reaches 2048");
  check_refused(rtl, "gemm uop=8191:8193 out=1 in=1 dst=0,0 src=0,0 wgt=0,0", "uop_end 8193 is past");
}

TEST_CASE("a program that cannot end raises the error flag", "[unit]") {
  TextMachine rtl(test::rtl_machine(isa::Config::vta_default()));
  check_refused(rtl, "load.acc sram=0 dram=0 y=1 x=1 stride=1 pop=prev", "the compute stage waits");
  check_refused(rtl,
                "load.inp sram=0 dram=0 y=1 x=1 stride=1 pop=next push=next\n"
                "load.acc sram=0 dram=0 y=1 x=1 stride=1 pop=prev push=prev\n"
                "store.out sram=0 dram=0 y=1 x=1 stride=1 pop=prev",
                "the load stage waits at instruction 0");
  std::string stores;
  for (int i = 0; i < 513; ++i) stores += "store.out sram=0 dram=0 y=0 x=0 stride=0 pop=prev\n";
  std::string pushes;
  for (int i = 0; i < 513; ++i) pushes += "load.acc sram=0 dram=0 y=0 x=0 stride=0 push=next\n";
  check_refused(rtl, stores + pushes, "512 instructions of the store stage wait");
  CHECK(rtl.run(stores.substr(stores.find('\n') + 1) + pushes.substr(pushes.find('\n') + 1)).ok());

  const auto result = rtl.run_raw("load.inp sram=0 dram=0 y=1 x=1 stride=1");
  CHECK(result.status == RunStatus::kRefused);
  CHECK(result.message == "the program has no FINISH among its first 1 instructions: it would never be done");
}

TEST_CASE("the check that a failed run left unfinished does not spill into the next run", "[unit]") {
  TextMachine rtl(test::rtl_machine(isa::Config::vta_default()));
  rtl.poke_uop(0, {0, 0, 0});
  for (uint32_t i = 1; i < 4096; ++i) rtl.poke_uop(i, {2047, 0, 0});
  // The first ALU instruction waits for ever; the micro-ops of the second are still being read when the run has failed
  const auto stuck = rtl.run(
      "load.uop sram=0 dram=0 y=1 x=4096 stride=4096\n"
      "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=1 pop=next\n"
      "alu.add uop=0:4096 out=1 in=1 dst=0,0 src=0,0 imm=1");
  REQUIRE(stuck.status == RunStatus::kDeadlock);
  const auto next = rtl.run("alu.add uop=0:1 out=2 in=1 dst=1,0 src=0,0 imm=1");
  INFO(next.message);
  CHECK(next.ok());
}

TEST_CASE("bits that are no instruction raise the error flag", "[unit]") {
  TextMachine rtl(test::rtl_machine(isa::Config::vta_default()));
  sim::Dram dram{Bytes(1 << 16)};
  for (const uint8_t first : {0x05, 0x07, 0x80}) {  // opcodes 5 and 7; a load of memory type 1 is legal
    dram.data()[0] = std::byte{first};
    dram.data()[16] = std::byte{3};
    const auto result = rtl.machine().run(dram, {Bytes(0), 2}, {});
    CHECK(result.ok() == (first == 0x80));
    if (!result.ok())
      CHECK_THAT(result.message, ContainsSubstring("instruction 0: 0x") && ContainsSubstring("unknown opcode"));
  }
}

TEST_CASE("whatever the bits, the core ends, and accepts what the functional machine accepts", "[unit]") {
  const auto config = isa::Config::vta_default();
  const auto rtl = test::rtl_machine(config, "m1");
  const auto functional = sim::make_functional_machine(config);
  std::mt19937_64 random(7);
  const isa::Codec codec(config);
  const auto legal = test::with_tokens(test::random_program(config, 7, 200));
  int accepted = 0;
  constexpr int kPrograms = 400;
  for (int i = 0; i < kPrograms; ++i) {
    sim::Dram a{Bytes(1 << 20)};
    sim::Dram b{Bytes(1 << 20)};
    const size_t count = 1 + random() % 12;
    const size_t from = random() % (legal.size() - count);
    for (size_t k = 0; k <= count; ++k) {
      isa::Words words = codec.encode(k == count ? isa::Insn{isa::Finish{}} : legal[from + k]);
      if (k < count && random() % 4 == 0) words[random() % 2] ^= uint64_t{1} << (random() % 64);
      for (sim::Dram* dram : {&a, &b}) isa::store_words(words, dram->range(Bytes(16 * k), Bytes(16)).first<16>());
    }
    rtl->reset();
    functional->reset();
    sim::RunOptions options;
    options.max_steps = 100'000;
    const auto expected = functional->run(a, {Bytes(0), count + 1}, options);
    const auto got = rtl->run(b, {Bytes(0), count + 1}, options);
    INFO("program " << i << ": " << expected.message << " / " << got.message);
    CHECK(got.ok() == expected.ok());
    accepted += got.ok();
  }
  CHECK(accepted > kPrograms / 10);
  CHECK(accepted < kPrograms * 9 / 10);
}

}  // namespace vantage::test::sim_rtl_illegal_test
