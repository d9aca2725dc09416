#include "sim/machine.h"

#include "tests/catch.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_functional_machine_test {

using namespace vantage;
using sim::RunStatus;
using test::TextMachine;

TEST_CASE("a program without FINISH, or whose bits are no instruction, is refused before anything runs", "[unit]") {
  TextMachine m;
  auto result = m.run_raw("load.inp sram=0 dram=0 y=1 x=1 stride=1");
  CHECK(result.status == RunStatus::kRefused);
  CHECK_THAT(result.message, ContainsSubstring("no FINISH among its first 1 instructions"));
  CHECK(result.counters == isa::Counters{});

  m.poke(TextMachine::kInsnAddress, 6, 8);  // opcode 6
  m.poke(TextMachine::kInsnAddress + 16, 3, 8);
  sim::Dram dram{Bytes(1 << 16)};
  dram.data()[0] = std::byte{6};
  dram.data()[16] = std::byte{3};
  result = m.machine().run(dram, {Bytes(0), 2}, {});
  CHECK(result.message == "instruction 0: 0x0000000000000006 0x0000000000000000: unknown opcode 6 (there are 0 to 4)");
}

TEST_CASE("an instruction image outside memory is an error of the caller", "[unit]") {
  TextMachine m;
  sim::Dram dram{Bytes(1 << 16)};
  CHECK_THROWS_AS(m.machine().run(dram, {Bytes((1 << 16) - 16), 2}, {}), vantage::Error);
  CHECK_THAT(ERROR_OF(m.machine().run(dram, {Bytes(20), 1}, {})),
             ContainsSubstring("address is 20, which is no multiple of an instruction's 16 bytes"));
}

TEST_CASE("a refused instruction leaves what completed before it, and the machine usable", "[unit]") {
  TextMachine m;
  m.poke(64, 5, 4);
  const auto result = m.run(
      "load.acc sram=0 dram=1 y=1 x=1 stride=1 push=next\n"
      "store.out sram=0 dram=100 y=1 x=1 stride=1 pop=prev push=prev\n"
      "load.acc sram=2047 dram=0 y=1 x=2 stride=2 pop=next");
  CHECK(result.status == RunStatus::kRefused);
  CHECK_THAT(result.message, ContainsSubstring("instruction 2: load.acc") &&
                                 ContainsSubstring("it reaches index 2048 of the accumulator scratchpad"));
  CHECK(result.counters.acc_load_nbytes == 64);
  CHECK(result.counters.out_store_nbytes == 16);
  CHECK(m.peek(1600) == 5);
  CHECK(m.run("").ok());
}

TEST_CASE("a micro-op loaded at run time is checked when it is used", "[unit]") {
  TextMachine m;
  m.poke_uop(0, {2047, 0, 0});
  const auto result = m.run(
      "load.uop sram=0 dram=0 y=1 x=1 stride=1\n"
      "gemm uop=0:1 out=1 in=2 dst=0,1 src=0,0 wgt=0,0");
  CHECK(result.status == RunStatus::kRefused);
  CHECK_THAT(result.message, ContainsSubstring("its destination index reaches 2048"));
}

TEST_CASE("a deadlock is found at run time and the machine stays usable", "[unit]") {
  TextMachine m;
  const auto result = m.run("load.acc sram=0 dram=0 y=1 x=1 stride=1 pop=prev");
  CHECK(result.status == RunStatus::kDeadlock);
  CHECK_THAT(result.message, ContainsSubstring("the compute stage waits at instruction 0"));
  // Tokens of a run do not survive it.
  CHECK(m.run("load.inp sram=0 dram=0 y=1 x=1 stride=1 push=next").warnings.front() ==
        "tokens are left over at FINISH: load->compute 1");
  CHECK(m.run("load.acc sram=0 dram=0 y=1 x=1 stride=1 pop=prev").status == RunStatus::kDeadlock);
}

TEST_CASE("a run stops at its step limit", "[unit]") {
  TextMachine m;
  sim::RunOptions options;
  options.max_steps = 100;
  const std::string gemm = "gemm uop=0:1 out=10 in=10 dst=0,0 src=0,0 wgt=0,0";
  CHECK(m.run(gemm, options).ok());
  const auto result = m.run(gemm + "\nalu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0", options);
  CHECK(result.status == RunStatus::kStepLimit);
  CHECK(result.counters.gemm_counter == 100);
  options.max_steps = UINT64_MAX;
  CHECK(m.run(gemm, options).ok());
}

TEST_CASE("a run is stopped in the middle of an instruction that would take years", "[unit]") {
  TextMachine m;
  const std::string nothing = "load.acc sram=0 dram=0 y=0 x=0 stride=0\n";
  for (const std::string& endless : {std::string("gemm uop=0:8191 out=16383 in=16383 dst=0,0 src=0,0 wgt=0,0"),
                                     std::string("gemm.reset uop=0:8191 out=16383 in=16383 dst=0,0 src=0,0 wgt=0,0"),
                                     std::string("alu.add uop=0:8191 out=16383 in=16383 dst=0,0 src=0,0 imm=1")}) {
    const auto result = m.run_stopped(nothing + endless);
    CHECK(result.status == RunStatus::kStopped);
    CHECK_THAT(result.message, ContainsSubstring("instruction 1: ") && ContainsSubstring(": the run was stopped"));
    CHECK(m.run(nothing).ok());
  }
}

TEST_CASE("scratchpads keep their contents from one run to the next until reset", "[unit]") {
  TextMachine m;
  m.poke(0, 42, 4);
  CHECK(m.run("load.acc sram=3 dram=0 y=1 x=1 stride=1").ok());
  CHECK(m.run("store.out sram=3 dram=10 y=1 x=1 stride=1").ok());
  CHECK(m.peek(160) == 42);
  m.poke_uop(5, {1, 2, 3});
  CHECK(m.run("load.uop sram=7 dram=5 y=1 x=1 stride=1").ok());
  CHECK(m.machine().micro_ops()[7] == isa::MicroOp{1, 2, 3});
  m.machine().reset();
  CHECK(m.machine().micro_ops()[7] == isa::MicroOp{});
  CHECK(m.run("store.out sram=3 dram=10 y=1 x=1 stride=1").ok());
  CHECK(m.peek(160) == 0);
}

TEST_CASE("progress is told after every instruction", "[unit]") {
  TextMachine m;
  std::vector<uint64_t> told;
  sim::RunOptions options;
  options.progress = [&](uint64_t retired, uint64_t total) {
    CHECK(total == 3);
    told.push_back(retired);
  };
  CHECK(m.run("load.acc sram=0 dram=0 y=1 x=1 stride=1\nload.inp sram=0 dram=0 y=1 x=1 stride=1", options).ok());
  CHECK(told == std::vector<uint64_t>{1, 2, 3});
}

TEST_CASE("retirement is recorded in order when asked for", "[unit]") {
  TextMachine m;
  sim::RunOptions options;
  options.record_retirement = true;
  const auto result = m.run(
      "load.inp sram=0 dram=0 y=1 x=1 stride=1 pop=next\n"
      "load.acc sram=0 dram=0 y=1 x=1 stride=1 push=prev",
      options);
  REQUIRE(result.retired.size() == 3);
  CHECK(result.retired[0].insn == 1);
  CHECK(result.retired[1].insn == 0);
  CHECK(result.retired[1].stage == isa::Stage::kLoad);
  CHECK(result.retired[2].insn == 2);
}

}  // namespace vantage::test::sim_functional_machine_test
