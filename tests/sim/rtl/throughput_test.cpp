// What the micro-architecture promises (docs/hardware.md), each as a rule that fails when it is no longer kept. Cycles
// are exact and repeatable, so bounds are tight.
#include <fmt/format.h>

#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_rtl_throughput_test {

using namespace vantage;
using sim::RetireRecord;
using test::TextMachine;

namespace {

// The default configuration with micro-ops of every kind at DRAM element 0, loaded to the same index.
class Core {
 public:
  explicit Core(const std::string& memory = "m1") : m_(test::rtl_machine(isa::Config::vta_default(), memory)) {
    for (uint64_t i = 0; i < 256; ++i) m_.poke(4096 + i, static_cast<int64_t>(i * 7 + 3), 1);
  }

  void uop(uint64_t index, const isa::MicroOp& uop) { m_.poke_uop(index, uop); }

  // Loads `uops` micro-ops, then runs the lines. Keeps the records of the lines alone.
  sim::RunResult run(const std::string& lines, unsigned uops = 16) {
    sim::RunOptions options;
    options.record_retirement = true;
    auto result = m_.run(fmt::format("load.uop sram=0 dram=0 y=1 x={0} stride={0}\n{1}", uops, lines), options);
    INFO(result.message);
    REQUIRE(result.ok());
    life_.assign(result.retired.size(), {});
    for (const RetireRecord& record : result.retired) life_[record.insn] = record;
    return result;
  }

  // Of line i, from 0.
  uint64_t start(size_t line) const { return life_[line + 1].start.count(); }
  uint64_t end(size_t line) const { return life_[line + 1].end.count(); }
  // Cycles from its issue to its retirement.
  uint64_t duration(size_t line) const { return end(line) - start(line); }

  TextMachine& machine() { return m_; }

 private:
  TextMachine m_;
  std::vector<RetireRecord> life_;
};

constexpr uint64_t kPipe = 8;        // cycles between a last step and its instruction's end, at most
constexpr uint64_t kVectorPipe = 7;  // of ALU and resets: from the issue to the first step and from the last to the end

std::string repeat(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("a GEMM step takes a cycle, whatever the order of destinations", "[unit]") {
  // All on one element; two taking turns; three; all different.
  const std::vector<std::vector<uint32_t>> orders = {
      {0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 2, 0}, {0, 1, 2, 3}, {1, 1, 0, 0}};
  for (const auto& order : orders) {
    Core core;
    TextMachine reference;
    for (uint32_t i = 0; i < 4; ++i) {
      core.uop(i, {order[i], i % 2, i % 3});
      reference.poke_uop(i, {order[i], i % 2, i % 3});
    }
    const std::string lines =
        "load.wgt sram=0 dram=16 y=1 x=3 stride=3\n"
        "load.inp sram=0 dram=256 y=1 x=2 stride=2 push=next\n"
        "gemm uop=0:4 out=25 in=10 dst=0,0 src=0,0 wgt=0,0 pop=prev push=next\n"
        "store.out sram=0 dram=4096 y=1 x=4 stride=4 pop=prev";
    core.run(lines);
    CHECK(core.duration(2) <= 1000 + kPipe);
    for (uint64_t i = 0; i < 256; ++i) reference.poke(4096 + i, static_cast<int64_t>(i * 7 + 3), 1);
    REQUIRE(reference.run("load.uop sram=0 dram=0 y=1 x=16 stride=16\n" + lines).ok());
    for (uint64_t i = 0; i < 64; ++i) REQUIRE(core.machine().peek(65536 + i) == reference.peek(65536 + i));
  }
}

TEST_CASE("an ALU step takes a cycle, and one more when it reads its source", "[unit]") {
  Core core;
  for (uint32_t i = 0; i < 4; ++i) core.uop(i, {i / 2, 3 + i % 2, 0});  // pairs on one destination
  for (const char* op : {"min", "max", "add", "shr", "mul"}) {
    core.run(fmt::format("alu.{} uop=0:4 out=25 in=10 dst=0,0 src=0,0 imm=3", op));
    // A step of MUL waits behind the one before
    CHECK(core.duration(0) == (op == std::string("mul") ? 1999 : 1000) + kVectorPipe);
    core.run(fmt::format("alu.{} uop=0:4 out=25 in=10 dst=0,0 src=0,0", op));
    CHECK(core.duration(0) == 2000 + kVectorPipe);
  }
}

TEST_CASE("a bias is read once for each channel: n steps take n + 1 cycles", "[unit]") {
  Core core;
  core.uop(0, {0, 1800, 0});
  core.run("alu.add uop=0:1 out=16 in=100 dst=100,1 src=1,0");
  CHECK(core.duration(0) == 16 * (100 + 1) + kVectorPipe);
  core.run("alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0");
  CHECK(core.duration(0) == 1 + 1 + kVectorPipe);
  // Micro-ops in place of the inner loop
  for (uint32_t i = 0; i < 16; ++i) core.uop(i, {i, 1800, 0});
  core.run("alu.add uop=0:16 out=16 in=6 dst=96,16 src=1,0");
  CHECK(core.duration(0) == 16 * (96 + 1) + kVectorPipe);
  // The same bias for all channels: read once
  core.run("alu.add uop=0:16 out=16 in=6 dst=96,16 src=0,0");
  CHECK(core.duration(0) == 16 * 96 + 1 + kVectorPipe);
  // A source of the instruction before is not held
  core.run(repeat("alu.add uop=0:1 out=1 in=16 dst=0,1 src=0,0", 8));
  CHECK(core.end(7) - core.end(6) == 16 + 1);
}

TEST_CASE("an ALU step reads its source when it is not that of the step before", "[unit]") {
  Core core;
  const std::vector<uint32_t> sources = {900, 900, 901, 900, 900, 900, 902, 902};
  for (uint32_t i = 0; i < 8; ++i) core.uop(i, {i, sources[i], 0});
  // In each iteration four sources, the first of which is not the last of the iteration before
  core.run("alu.add uop=0:8 out=5 in=10 dst=0,0 src=0,0");
  CHECK(core.duration(0) == 400 + 50 * 4 + kVectorPipe);
  // ... now it is, but where the outer loop moves on
  core.run("alu.add uop=0:8 out=5 in=10 dst=0,0 src=0,2");
  CHECK(core.duration(0) == 400 + 50 * 4 - 45 + kVectorPipe);
  core.run("alu.add uop=0:8 out=5 in=10 dst=0,0 src=2,0");
  CHECK(core.duration(0) == 400 + 50 * 4 - 4 + kVectorPipe);
  core.run("alu.add uop=0:8 out=5 in=10 dst=0,0 src=20,2");
  CHECK(core.duration(0) == 400 + 50 * 4 - 49 + kVectorPipe);
  core.run("alu.add uop=0:8 out=5 in=10 dst=0,0 src=18,2");
  CHECK(core.duration(0) == 400 + 50 * 4 - 45 + kVectorPipe);
}

TEST_CASE("no source is held that the nest may write", "[unit]") {
  struct Case {
    std::string loops;
    uint64_t cycles;
  };
  const std::vector<Case> cases = {
      // Destinations 100 and 104, source 200, before the loops move them
      {"uop=0:3 out=1 in=10 dst=0,0 src=0,0", 30 + 1},
      {"uop=0:3 out=1 in=10 dst=0,0 src=0,1", 30 + 10},
      {"uop=0:3 out=10 in=10 dst=0,10 src=0,0", 300 + 1},    // up to 194
      {"uop=0:3 out=6 in=10 dst=1,10 src=0,0", 180 + 1},     // up to 199
      {"uop=0:3 out=7 in=10 dst=1,10 src=0,0", 210 + 210},   // up to 200
      {"uop=0:3 out=50 in=10 dst=10,0 src=0,0", 1500 * 2},   // past it
      {"uop=0:3 out=50 in=10 dst=10,0 src=10,0", 1500 * 2},  // never met, but the ranges overlap
      // Destination 300, source 200
      {"uop=3:4 out=10 in=10 dst=0,0 src=11,0", 100 + 10},  // up to 299
      {"uop=3:4 out=10 in=10 dst=1,1 src=11,0", 100 + 10},
      {"uop=3:4 out=11 in=10 dst=0,0 src=10,0", 110 + 110},  // up to 300
      {"uop=4:5 out=10 in=10 dst=0,0 src=0,0", 100 * 2},     // its own source
  };
  Core core;
  for (uint32_t i = 0; i < 3; ++i) core.uop(i, {i == 1 ? 104u : 100u, 200, 0});
  core.uop(3, {300, 200, 0});
  core.uop(4, {300, 300, 0});
  for (const Case& c : cases) {
    core.run("alu.max " + c.loops);
    INFO(c.loops);
    CHECK(core.duration(0) == c.cycles + kVectorPipe);
  }
}

TEST_CASE("results are those of one step after another, whether sources are held or not", "[unit]") {
  struct Case {
    std::vector<isa::MicroOp> uops;
    std::string loops;
  };
  const std::vector<Case> cases = {
      {{{0, 40, 0}, {1, 40, 0}, {1, 41, 0}}, "out=2 in=3 dst=8,2 src=1,0"},
      // A step writes the next one's source, or its own, or that of the step after the next
      {{{0, 1, 0}, {1, 1, 0}, {2, 1, 0}}, "out=2 in=3 dst=0,0 src=0,0"},
      {{{1, 1, 0}, {1, 1, 0}, {2, 1, 0}}, "out=2 in=3 dst=1,0 src=1,0"},
      {{{3, 2, 0}, {4, 2, 0}, {2, 2, 0}}, "out=2 in=3 dst=0,1 src=0,0"},
      // The last write of one instruction is the first source of the next, in the same places
      {{{63, 0, 0}, {62, 0, 0}, {1, 63, 0}}, "out=1 in=1 dst=0,0 src=0,0"},
  };
  for (const Case& c : cases) {
    Core core;
    TextMachine reference;
    for (uint32_t i = 0; i < 3; ++i) {
      core.uop(i, c.uops[i]);
      reference.poke_uop(i, c.uops[i]);
    }
    for (uint64_t i = 0; i < 256; ++i) reference.poke(4096 + i, static_cast<int64_t>(i * 7 + 3), 1);
    const std::string alu = fmt::format("alu.add uop=0:3 {}", c.loops);
    const std::string lines = "load.acc8 sram=0 dram=256 y=1 x=64 stride=64\n" + alu + "\n" + alu + " push=next\n" +
                              "store.out sram=0 dram=4096 y=1 x=64 stride=64 pop=prev";
    core.run(lines);
    REQUIRE(reference.run("load.uop sram=0 dram=0 y=1 x=16 stride=16\n" + lines).ok());
    INFO(c.loops);
    for (uint64_t i = 0; i < 64 * 16; ++i) REQUIRE(core.machine().peek(65536 + i) == reference.peek(65536 + i));
  }
}

TEST_CASE("ALU and resets run beside the GEMM core on the other half of the accumulators", "[unit]") {
  const std::string gemm = "gemm uop=0:1 out=50 in=20 dst=0,0 src=0,0 wgt=0,0";
  for (const std::string beside :
       {"alu.add uop=1:2 out=45 in=20 dst=0,0 src=0,0 imm=1", "gemm.reset uop=1:2 out=45 in=20 dst=0,0 src=0,0 wgt=0,0",
        "alu.add uop=1:2 out=45 in=20 dst=0,0 src=0,0"}) {
    Core core;
    core.uop(0, {5, 0, 0});
    core.uop(1, {1024 + 5, 1024 + 6, 0});
    const auto apart = core.run(gemm + "\n" + beside);
    CHECK(core.end(1) - core.start(0) <= 1000 + 2 * kPipe);
    CHECK(core.start(1) <= core.start(0) + 8);

    // The younger one ends first but retires after the older.
    CHECK(core.end(1) > core.end(0));

    core.uop(1, {6, 7, 0});  // the same half
    const auto together = core.run(gemm + "\n" + beside);
    CHECK(core.start(1) >= core.start(0) + 1000);
    CHECK(together.cycles->count() > apart.cycles->count() + 800);
  }
}

TEST_CASE("an instruction that reaches into both halves waits for either", "[unit]") {
  Core core;
  core.uop(0, {5, 0, 0});
  core.uop(1, {1020, 0, 0});
  core.run(
      "gemm uop=0:1 out=50 in=20 dst=0,0 src=0,0 wgt=0,0\n"
      "alu.add uop=1:2 out=1 in=8 dst=0,1 src=0,0 imm=1");
  CHECK(core.start(1) >= core.start(0) + 1000);
}

TEST_CASE("tokens leave in program order, though the younger instruction ends first", "[unit]") {
  Core core;
  core.uop(0, {5, 0, 0});
  core.uop(1, {1024 + 5, 0, 0});
  // Either token would let the store go; only the GEMM's may come first.
  core.run(
      "gemm uop=0:1 out=50 in=20 dst=0,0 src=0,0 wgt=0,0 push=next\n"
      "alu.add uop=1:2 out=1 in=1 dst=0,0 src=0,0 imm=1 push=next\n"
      "store.out sram=5 dram=4096 y=1 x=1 stride=1 pop=prev\n"
      "store.out sram=1029 dram=4097 y=1 x=1 stride=1 pop=prev");
  CHECK(core.start(2) > core.end(0));
  CHECK(core.start(3) > core.end(1));
}

TEST_CASE("long rows are loaded and stored at no less than 95 % of the bus", "[unit]") {
  constexpr uint64_t kBytes = 16 * 1024;
  constexpr uint64_t kBeats = kBytes / 8;
  constexpr uint64_t kLatency = 64;
  const std::vector<std::string> lines = {
      "load.inp sram=0 dram=512 y=1 x=1024 stride=1024", "load.wgt sram=0 dram=512 y=1 x=64 stride=64",
      "load.acc sram=0 dram=512 y=1 x=256 stride=256", "load.uop sram=0 dram=512 y=1 x=4096 stride=4096",
      "load.acc8 sram=0 dram=512 y=1 x=1024 stride=1024", "store.out sram=0 dram=512 y=1 x=1024 stride=1024",
      // Rows of 2 KB with zeros around them
      "load.inp sram=0 dram=512 y=8 x=128 stride=200 pad=0,0,1,1", "store.out sram=0 dram=512 y=8 x=128 stride=200"};
  for (const std::string& line : lines) {
    Core core("m64");
    core.run(line);
    INFO(line << ": " << core.duration(0));
    CHECK(static_cast<double>(kBeats) >= 0.95 * static_cast<double>(core.duration(0) - kLatency));
  }
}

TEST_CASE("the next transfer's bursts are asked for while this one's beats come", "[unit]") {
  for (const std::string line :
       {"load.inp sram=0 dram=512 y=1 x=64 stride=64", "load.wgt sram=0 dram=512 y=1 x=4 stride=4",
        "load.acc sram=0 dram=512 y=1 x=16 stride=16", "store.out sram=0 dram=512 y=1 x=64 stride=64"}) {
    constexpr uint64_t kBeats = 128;
    Core core("m64");
    core.run(repeat(line, 8));
    INFO(line << ": " << core.end(7) - core.start(0));
    CHECK(core.end(7) - core.start(0) <= 8 * kBeats + 64 + 40);
  }
}

TEST_CASE("load, compute and store work at the same time", "[unit]") {
  Core core("m64");
  core.uop(0, {5, 0, 0});
  // Each alone takes about 2,000 cycles; nothing orders them.
  const auto result = core.run(
      "load.wgt sram=512 dram=512 y=1 x=64 stride=64\n"
      "gemm uop=0:1 out=100 in=20 dst=0,0 src=0,0 wgt=0,0\n"
      "store.out sram=1024 dram=4096 y=1 x=1000 stride=1000");
  CHECK(result.cycles->count() <= 2600);
}

TEST_CASE("instructions of a stage follow each other with at most four idle cycles", "[unit]") {
  constexpr int kTimes = 16;
  struct Case {
    std::string line;
    uint64_t work;  // cycles of it
  };
  const std::vector<Case> cases = {
      {"gemm uop=0:16 out=1 in=1 dst=0,0 src=0,0 wgt=0,0", 16},
      {"gemm uop=0:1 out=4 in=4 dst=0,0 src=0,0 wgt=0,0", 16},
      {"gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0", 1},
      {"gemm.reset uop=0:16 out=1 in=1 dst=0,0 src=0,0 wgt=0,0", 16},
      {"alu.add uop=0:16 out=1 in=1 dst=0,0 src=0,0 imm=1", 16},
      {"alu.add uop=0:16 out=1 in=1 dst=0,0 src=0,0", 17},
      {"alu.add uop=0:16 out=1 in=1 dst=5,0 src=0,0", 17},
      {"load.inp sram=0 dram=512 y=1 x=8 stride=8", 16},
      {"load.acc sram=0 dram=512 y=1 x=2 stride=2", 16},
      {"load.uop sram=100 dram=512 y=1 x=32 stride=32", 16},
      {"store.out sram=0 dram=512 y=1 x=8 stride=8", 16},
      // GEMM and ALU on the same accumulators, one after another: nine for two
      {"gemm uop=0:16 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\nalu.add uop=0:16 out=1 in=1 dst=0,0 src=0,0 imm=1", 17},
      {"gemm uop=0:16 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\nalu.add uop=0:16 out=1 in=1 dst=0,0 src=0,0", 24},
      {"gemm.reset uop=0:16 out=1 in=1 dst=0,0 src=0,0 wgt=0,0\ngemm uop=0:16 out=1 in=1 dst=0,0 src=0,0 wgt=0,0", 17},
  };
  for (const Case& c : cases) {
    Core core("m1");
    for (uint32_t i = 0; i < 16; ++i) core.uop(i, {i, 20, 0});
    const size_t per_line = 1 + static_cast<size_t>(std::count(c.line.begin(), c.line.end(), '\n'));
    // The first few wait to be fetched.
    core.run(repeat(c.line, kTimes));
    const size_t first = 4 * per_line;
    const size_t last = kTimes * per_line - 1;
    const uint64_t insns = last - first;
    INFO(c.line << ": " << core.end(last) - core.end(first) << " for " << insns);
    CHECK(core.end(last) - core.end(first) <= insns * (c.work + 4));
  }
}

TEST_CASE("micro-ops are loaded while others are used, and not before they may be overwritten", "[unit]") {
  Core core("m64");
  core.uop(0, {5, 0, 0});
  core.run(
      "gemm uop=0:1 out=50 in=20 dst=0,0 src=0,0 wgt=0,0\n"
      "load.uop sram=16 dram=0 y=1 x=16 stride=16\n"
      "gemm uop=16:17 out=50 in=20 dst=0,0 src=0,0 wgt=0,0\n"
      "load.uop sram=16 dram=0 y=1 x=16 stride=16");
  CHECK(core.start(1) <= core.start(0) + 8);
  CHECK(core.start(2) <= core.start(0) + 1000 + 4);  // its micro-ops came in the meantime
  CHECK(core.start(3) >= core.start(2) + 1000);
}

}  // namespace vantage::test::sim_rtl_throughput_test
