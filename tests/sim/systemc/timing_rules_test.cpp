// The rules of docs/hardware.md, one by one, on programs in which nothing else matters. The RTL runs them as well and
// must take the same cycles, so a rule that is wrong on the page fails here too.
#include <random>

#include "hw/core/nest.h"
#include "tests/sim/systemc/both_machines.h"

namespace vantage::test::sim_systemc_timing_rules_test {

using namespace vantage;
using test::BothMachines;

namespace {

// Nothing is moved, so only the queues' and stages' own cycles are seen.
const std::string kNothing = "x=0 y=0 stride=0 sram=0 dram=0";

std::string repeat(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("the first instruction is dispatched two cycles after its second beat, and every second cycle another",
          "[unit]") {
  BothMachines m("m1");
  m.run(repeat("load.acc " + kNothing, 4));
  // Asked for in 0, shown in 1, beats in 2 and 3, the second in the buffer in 5
  for (size_t i = 0; i < 4; ++i) CHECK(m.dispatched(i) == 5 + 2 * i);
}

TEST_CASE("a transfer can be issued four cycles after it was dispatched", "[unit]") {
  BothMachines m("m1");
  m.run("load.inp sram=0 dram=0 y=1 x=1 stride=1\nstore.out sram=0 dram=4096 y=1 x=1 stride=1");
  CHECK(m.start(0) == m.dispatched(0) + 4);
  CHECK(m.start(1) == m.dispatched(1) + 4);
}

TEST_CASE("in the compute stage FINISH can be issued after four cycles, loads and loops without a step after five",
          "[unit]") {
  BothMachines m("m1");
  m.run("");
  CHECK(m.start(0) == m.dispatched(0) + 4);
  m.run("load.acc sram=0 dram=0 y=1 x=1 stride=1");
  CHECK(m.start(0) == m.dispatched(0) + 5);
  m.run("alu.add uop=0:0 out=1 in=1 dst=0,0 src=0,0 imm=1");
  CHECK(m.start(0) == m.dispatched(0) + 5);
}

TEST_CASE("the check of a loop takes a cycle for each of its micro-ops", "[unit]") {
  BothMachines m("m1");
  for (const int uops : {1, 2, 7, 100}) {
    m.run(fmt::format("alu.add uop=0:{} out=1 in=1 dst=0,0 src=0,0 imm=1", uops));
    CHECK(m.start(0) == m.dispatched(0) + 4 + static_cast<uint64_t>(uops));
  }
}

TEST_CASE("a store waits for its token and starts the next cycle", "[unit]") {
  BothMachines m("m64");
  m.run(
      "alu.add uop=0:1 out=10 in=10 dst=0,0 src=0,0 imm=1 push=next\n"
      "store.out sram=0 dram=4096 y=1 x=1 stride=1 pop=prev");
  CHECK(m.start(1) == m.end(0) + 1);
}

TEST_CASE("a load waits for its token and starts the next cycle", "[unit]") {
  BothMachines m("m64");
  m.run(
      "alu.add uop=0:1 out=10 in=10 dst=0,0 src=0,0 imm=1 push=prev\n"
      "load.inp sram=0 dram=0 y=1 x=1 stride=1 pop=next");
  CHECK(m.start(1) == m.end(0) + 1);
}

TEST_CASE("an instruction that pops two tokens waits for the later", "[unit]") {
  BothMachines m("m64");
  m.run(
      "load.inp sram=0 dram=0 y=1 x=8 stride=8 push=next\n"
      "store.out sram=0 dram=4096 y=4 x=16 stride=64 push=prev\n"
      "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=1 pop=prev,next");
  CHECK(m.start(2) == std::max(m.end(0), m.end(1)) + 1);
}

TEST_CASE("a GEMM of n steps ends n + 6 cycles after its issue, an ALU n + 7", "[unit]") {
  BothMachines m("m1");
  m.run("gemm uop=0:1 out=20 in=10 dst=0,0 src=0,0 wgt=0,0");
  CHECK(m.end(0) == m.start(0) + 200 + 6);
  m.run("alu.add uop=0:1 out=20 in=10 dst=0,0 src=0,0 imm=1");
  CHECK(m.end(0) == m.start(0) + 200 + 7);
  m.run("gemm.reset uop=0:1 out=20 in=10 dst=0,0 src=0,0 wgt=0,0");
  CHECK(m.end(0) == m.start(0) + 200 + 7);
}

TEST_CASE("an ALU takes a cycle more for every source that it reads: each that is not the step's before", "[unit]") {
  BothMachines m("m1");
  m.uop(1, {0, 500, 0});
  const std::string load = "load.uop sram=0 dram=0 y=1 x=2 stride=2\n";
  const auto cycles = [&](const std::string& loops) {
    m.run(load + "alu.add " + loops);
    return m.end(1) - m.start(1) - 7;
  };
  CHECK(cycles("uop=1:2 out=20 in=10 dst=0,0 src=0,0") == 200 + 1);
  CHECK(cycles("uop=1:2 out=20 in=10 dst=0,1 src=1,0") == 200 + 20);
  CHECK(cycles("uop=1:2 out=20 in=10 dst=0,1 src=0,1") == 200 + 200);
  CHECK(cycles("uop=1:2 out=20 in=10 dst=0,1 src=9,1") == 200 + 200 - 19);
  // Destinations up to 499, and up to 500, which is a source
  CHECK(cycles("uop=1:2 out=21 in=2 dst=24,19 src=0,0") == 42 + 1);
  CHECK(cycles("uop=1:2 out=21 in=2 dst=24,20 src=0,0") == 42 + 42);
}

TEST_CASE("a step waits a cycle behind a step of MUL, unless it reads its source meanwhile", "[unit]") {
  BothMachines m("m1");
  m.uop(1, {0, 500, 0});
  const std::string load = "load.uop sram=0 dram=0 y=1 x=2 stride=2\n";
  const auto cycles = [&](const std::string& loops) {
    m.run(load + "alu.mul " + loops);
    return m.end(1) - m.start(1) - 7;
  };
  CHECK(cycles("uop=0:1 out=20 in=10 dst=0,0 src=0,0 imm=3") == 200 + 199);
  CHECK(cycles("uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=3") == 1);
  // One source, that each step holds; one for every tenth step; one for each
  CHECK(cycles("uop=1:2 out=20 in=10 dst=0,0 src=0,0") == 1 + 200 + 199);
  CHECK(cycles("uop=1:2 out=20 in=10 dst=0,1 src=1,0") == 20 + 200 + 180);
  CHECK(cycles("uop=1:2 out=20 in=10 dst=0,1 src=0,1") == 200 + 200);
}

TEST_CASE("a nest behind one of MUL waits as its own steps do", "[unit]") {
  BothMachines m("m1");
  m.run(
      "alu.mul uop=0:1 out=1 in=10 dst=0,0 src=0,0 imm=3\n"
      "alu.add uop=0:1 out=1 in=10 dst=0,0 src=0,0 imm=3");
  CHECK(m.end(1) == m.end(0) + 1 + 10);
}

TEST_CASE("the sources that a nest reads are counted without walking it", "[unit]") {
  std::mt19937_64 random(1);
  const auto pick = [&](uint32_t least, uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(least, most)(random);
  };
  for (int i = 0; i < 20000; ++i) {
    std::vector<isa::MicroOp> uops(pick(1, 5));
    for (isa::MicroOp& uop : uops) uop = {pick(0, 20), pick(0, 3), 0};
    isa::Loop loop;
    loop.uop_end = static_cast<uint32_t>(uops.size());
    loop.iter_out = pick(1, 4);
    loop.iter_in = pick(1, 4);
    loop.dst_factor_out = pick(0, 8);
    loop.dst_factor_in = pick(0, 8);
    loop.src_factor_out = pick(0, 6);
    loop.src_factor_in = pick(0, 3);
    std::vector<uint32_t> read, written;
    for (uint32_t out = 0; out < loop.iter_out; ++out) {
      for (uint32_t in = 0; in < loop.iter_in; ++in) {
        for (const isa::MicroOp& uop : uops) {
          read.push_back(uop.src + out * loop.src_factor_out + in * loop.src_factor_in);
          written.push_back(uop.dst + out * loop.dst_factor_out + in * loop.dst_factor_in);
        }
      }
    }
    const auto [first_read, last_read] = std::minmax_element(read.begin(), read.end());
    const auto [first_written, last_written] = std::minmax_element(written.begin(), written.end());
    const bool apart = *last_read < *first_written || *last_written < *first_read;
    uint64_t expected = 0;
    for (size_t s = 0; s < read.size(); ++s) expected += !apart || s == 0 || read[s] != read[s - 1];
    REQUIRE(core::source_reads(loop, uops) == expected);
  }
  // The longest nest that there is
  const std::vector<isa::MicroOp> uops = {{0, 1, 0}, {0, 1, 0}, {0, 2, 0}};
  isa::Loop longest;
  longest.uop_end = 3;
  longest.iter_out = longest.iter_in = (1 << 14) - 1;
  CHECK(core::source_reads(longest, uops) == 2 * (uint64_t{1} << 28) - (uint64_t{1} << 16) + 2);
}

TEST_CASE("a nest is issued in the cycle of the last step of the one before", "[unit]") {
  BothMachines m("m1");
  m.uop(1, {0, 500, 0});
  const std::string load = "load.uop sram=0 dram=0 y=1 x=2 stride=2\n";
  struct Case {
    std::string line;
    uint64_t cycles;
  };
  const std::vector<Case> cases = {
      {"gemm uop=0:1 out=20 in=10 dst=0,0 src=0,0 wgt=0,0\n", 200},
      {"alu.add uop=0:1 out=20 in=10 dst=0,0 src=0,0 imm=1\n", 200},
      {"alu.add uop=0:1 out=20 in=10 dst=0,0 src=0,0\n", 400},
      {"alu.add uop=1:2 out=20 in=10 dst=0,0 src=0,0\n", 201},  // its last step takes one cycle
      {"alu.add uop=1:2 out=20 in=10 dst=0,0 src=0,1\n", 400},  // ... two
      {"alu.add uop=1:2 out=1 in=16 dst=0,0 src=0,0\n", 17},
      {"alu.add uop=1:2 out=1 in=16 dst=0,0 src=0,1\n", 32},
  };
  for (const Case& c : cases) {
    m.run(load + repeat(c.line, 4));
    CHECK(m.start(4) == m.start(3) + c.cycles);
  }
}

TEST_CASE("a half is free for another engine 4 cycles after GEMM's last step, 3 after the vector engine's", "[unit]") {
  BothMachines m("m1");
  const std::string gemm = "gemm uop=0:1 out=20 in=10 dst=0,0 src=0,0 wgt=0,0\n";
  const std::string alu = "alu.add uop=0:1 out=20 in=10 dst=0,0 src=0,0 imm=1\n";
  m.run(gemm + alu);
  CHECK(m.start(1) == m.start(0) + 200 + 4);
  m.run(alu + gemm);
  // Its first step is in the third cycle after its issue
  CHECK(m.start(1) == m.start(0) + 200 + 2 + 3);
}

TEST_CASE("a half is free a cycle after a load into it has ended", "[unit]") {
  BothMachines m("m64");
  m.run(
      "load.acc sram=0 dram=0 y=1 x=4 stride=4\n"
      "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=1");
  CHECK(m.start(1) == m.end(0) + 1);
}

TEST_CASE("the other half is free all the time", "[unit]") {
  BothMachines m("m64");
  m.uop(0, {1024, 0, 0});
  m.run(
      "load.uop sram=0 dram=0 y=1 x=1 stride=1\n"
      "load.acc sram=0 dram=0 y=1 x=4 stride=4\n"
      "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=1");
  CHECK(m.start(2) < m.end(1));
  CHECK(m.end(2) == m.end(1) + 1);  // retired in order, one a cycle
}

TEST_CASE("the check reads micro-ops once those under way have been loaded", "[unit]") {
  BothMachines m("m64");
  m.run(
      "load.uop sram=0 dram=0 y=1 x=4 stride=4\n"
      "alu.add uop=0:4 out=1 in=1 dst=0,0 src=0,0 imm=1");
  // The check begins in the cycle after the load's end, reads four, and the issue follows
  CHECK(m.start(1) == m.end(0) + 1 + 5 + 1);
}

TEST_CASE("micro-ops that a nest still reads are not overwritten", "[unit]") {
  BothMachines m("m1");
  const std::string gemm = "gemm uop=2:4 out=20 in=10 dst=0,0 src=0,0 wgt=0,0\n";
  m.run(gemm + "load.uop sram=3 dram=0 y=1 x=1 stride=1");
  CHECK(m.start(1) == m.start(0) + 400 + 1);
  m.run(gemm + "load.uop sram=4 dram=0 y=1 x=1 stride=1");
  CHECK(m.start(1) < m.start(0) + 10);
}

TEST_CASE("a load asks for its first burst a cycle after its issue, and writes a beat a cycle", "[unit]") {
  BothMachines m("m64");
  m.run("load.inp sram=0 dram=0 y=1 x=8 stride=8");
  // Asked for in s + 1, shown in s + 2, first beat in s + 66, walked from s + 68 and written from s + 69 on: 16 beats
  CHECK(m.end(0) == m.start(0) + 69 + 15);
}

TEST_CASE("zeros are written one a cycle, from three cycles after the issue on", "[unit]") {
  BothMachines m("m64");
  m.run("load.inp sram=0 dram=0 y=1 x=1 stride=1 pad=2,2,15,15");
  // 2 * 31 + 15 zeros outlast the latency; two beats; as many zeros
  CHECK(m.end(0) == m.start(0) + 3 + 77 + 2 + 77 - 1);
}

TEST_CASE("a load that moves nothing takes a cycle of its own in the order of writes", "[unit]") {
  BothMachines m("m64");
  m.run("load.inp " + kNothing);
  CHECK(m.end(0) == m.start(0) + 3);
  m.run("load.inp sram=0 dram=0 y=1 x=8 stride=8\nload.inp " + kNothing);
  CHECK(m.end(1) == m.end(0) + 1);
}

TEST_CASE("a store sends its first beat two cycles after reading it and ends with its response", "[unit]") {
  BothMachines m("m64");
  m.run("store.out sram=0 dram=4096 y=1 x=8 stride=8");
  // Read from s + 1 on, sent from s + 3 and shown from s + 4 on: 16 beats, 64 cycles to the response, one to the end
  CHECK(m.end(0) == m.start(0) + 4 + 15 + 64 + 1);
}

TEST_CASE("a store of nothing waits until none is under way and retires as it is issued", "[unit]") {
  BothMachines m("m64");
  m.run("store.out sram=0 dram=4096 y=1 x=8 stride=8\nstore.out " + kNothing);
  CHECK(m.start(1) == m.end(0) + 1);
  CHECK(m.end(1) == m.start(1));
}

TEST_CASE("four stores are under way at most", "[unit]") {
  BothMachines m("m64");
  m.run(repeat("store.out sram=0 dram=4096 y=1 x=1 stride=1", 6));
  CHECK(m.start(3) < m.end(0));
  CHECK(m.start(4) == m.end(0) + 1);
}

TEST_CASE("sixteen instructions of the compute stage are under way at most", "[unit]") {
  BothMachines m("m64");
  m.run("load.acc sram=0 dram=0 y=1 x=16 stride=16\n" + repeat("load.acc " + kNothing, 20));
  CHECK(m.start(15) < m.end(0));
  CHECK(m.start(16) == m.end(0) + 1);
}

TEST_CASE("a burst ends where addresses pass sixteen beats", "[unit]") {
  BothMachines m("m64");
  // The same beats, from the beginning of a window and from its last beat: one burst against two, a cycle apart, whose
  // data follow each other
  m.run("load.wgt sram=0 dram=0 y=1 x=1 stride=1");
  const uint64_t beats = 32;
  CHECK(m.end(0) == m.start(0) + 69 + beats - 1);
  m.run("load.inp sram=0 dram=7 y=1 x=2 stride=2");
  CHECK(m.end(0) == m.start(0) + 69 + 4 - 1);
}

TEST_CASE("fetch, load and compute take turns on the read channel", "[unit]") {
  BothMachines m("m64");
  // Both stages stream; neither starves the other
  m.run(
      "load.inp sram=0 dram=0 y=1 x=512 stride=512\n"
      "load.acc sram=0 dram=0 y=1 x=128 stride=128");
  CHECK(std::max(m.end(0), m.end(1)) - std::min(m.end(0), m.end(1)) < 64);
}

TEST_CASE("512 instructions of a stage wait at most, and the next keeps all behind it outside", "[unit]") {
  BothMachines m("m1");
  m.run("alu.add uop=0:1 out=100 in=100 dst=0,0 src=0,0 imm=1 push=next\n" +
        repeat("store.out " + kNothing + " pop=prev push=prev", 1) + repeat("store.out " + kNothing, 520) +
        "load.inp " + kNothing);
  // The load is dispatched when a store has left the full queue
  CHECK(m.dispatched(522) > m.end(0));
}

TEST_CASE("a queue that gets room as instructions come takes one in the next cycle", "[unit]") {
  BothMachines m("m64");
  // Stores of a beat each leave the full queue at many distances from the beats that bring those outside
  m.run(repeat("store.out sram=0 dram=8192 y=1 x=1 stride=1", 700));
  CHECK(m.dispatched(600) > m.start(0));
}

TEST_CASE("a program that deadlocks ends in the cycle in which nothing moves", "[unit]") {
  BothMachines m("m64");
  const auto result = m.run("load.inp sram=0 dram=0 y=1 x=1 stride=1 pop=next");
  CHECK(result.status == sim::RunStatus::kDeadlock);
  // FINISH, dispatched in 70 and issued in 74, has retired in 75: then the load alone is left
  REQUIRE(result.failed_at);
  CHECK(result.failed_at->count() == 76);
  CHECK(m.run(repeat("store.out " + kNothing + " pop=prev", 600)).status == sim::RunStatus::kDeadlock);
}

TEST_CASE("an illegal instruction ends the run in the cycle in which it could be issued", "[unit]") {
  BothMachines m("m64");
  const auto result = m.run(
      "load.wgt sram=0 dram=0 y=1 x=4 stride=4\n"
      "load.acc sram=2047 dram=0 y=1 x=2 stride=2");
  CHECK(result.status == sim::RunStatus::kRefused);
}

}  // namespace vantage::test::sim_systemc_timing_rules_test
