#include "hw/memory/axi_memory.h"

#include "tests/catch.h"

namespace vantage::test::hw_memory_axi_memory_test {

using namespace vantage;
using isa::Cycle;

namespace {

constexpr Bytes kBeat{8};

MemoryTiming with_latency(uint64_t cycles) {
  MemoryTiming timing;
  timing.read_latency = timing.write_latency = Cycles(cycles);
  return timing;
}

}  // namespace

TEST_CASE("the first beat comes the latency after its address, then one a cycle", "[unit]") {
  AxiMemory memory(with_latency(64), kBeat);
  const auto beats = memory.read(Cycle(10), 0, 16);
  CHECK(beats.first == Cycle(74));
  CHECK(beats.step == 1);
  CHECK(beats.last() == Cycle(89));
}

TEST_CASE("no beat comes in the cycle of its address, even without latency", "[unit]") {
  AxiMemory memory(with_latency(0), kBeat);
  CHECK(memory.read(Cycle(10), 0, 1).first == Cycle(11));
  memory.write(Cycle(10), 0, 1);
  CHECK(memory.write_beat(Cycle(11), true) == Cycle(12));
}

TEST_CASE("requests pipeline, and data stay in the order of the addresses", "[unit]") {
  AxiMemory memory(with_latency(64), kBeat);
  CHECK(memory.read(Cycle(0), 0, 16).last() == Cycle(79));
  CHECK(memory.read(Cycle(1), 0, 16).first == Cycle(80));
  CHECK(memory.read(Cycle(200), 0, 16).first == Cycle(264));
}

TEST_CASE("a full memory takes no address until a burst has ended", "[unit]") {
  MemoryTiming timing = with_latency(4);
  timing.max_reads = 2;
  timing.max_writes = 1;
  AxiMemory memory(timing, kBeat);
  CHECK(memory.read(Cycle(0), 0, 1).last() == Cycle(4));
  CHECK(memory.read_ready(Cycle(1)));
  CHECK(memory.read(Cycle(1), 0, 1).last() == Cycle(5));
  CHECK_FALSE(memory.read_ready(Cycle(4)));
  CHECK(memory.read_ready(Cycle(5)));
  CHECK(memory.read_ready_from(Cycle(2)) == Cycle(5));
  CHECK(memory.read_ready_from(Cycle(9)) == Cycle(9));

  CHECK(memory.write_ready(Cycle(1)));
  memory.write(Cycle(1), 0, 1);
  CHECK_FALSE(memory.write_ready(Cycle(2)));
  CHECK(memory.write_ready_from(Cycle(2)) == isa::kNever);  // nobody knows when its data come
  CHECK(memory.write_beat(Cycle(2), false) == isa::kNever);
  CHECK(memory.write_beat(Cycle(3), true) == Cycle(7));
  CHECK_FALSE(memory.write_ready(Cycle(7)));
  CHECK(memory.write_ready(Cycle(8)));
  CHECK(memory.write_ready_from(Cycle(4)) == Cycle(8));
}

TEST_CASE("a memory narrower than the bus takes several cycles for a beat", "[unit]") {
  MemoryTiming timing = with_latency(64);
  timing.rate = {2, 1};
  AxiMemory memory(timing, kBeat);
  const auto beats = memory.read(Cycle(0), 0, 4);
  CHECK(beats.first == Cycle(67));  // the beat's last byte
  CHECK(beats.step == 4);
  CHECK(beats.last() == Cycle(79));
  CHECK(memory.read(Cycle(1), 0, 1).first == Cycle(83));
  memory.write(Cycle(1), 0, 1);
  CHECK(memory.beat_ready(Cycle(2)));
  static_cast<void>(memory.write_beat(Cycle(2), false));
  CHECK_FALSE(memory.beat_ready(Cycle(5)));
  CHECK(memory.beat_ready(Cycle(6)));
}

TEST_CASE("beats that take a fraction of a cycle more are paid for behind their burst, exactly", "[unit]") {
  MemoryTiming timing = with_latency(1);
  timing.rate = {6, 1};  // 8 bytes take 4/3 cycles
  AxiMemory memory(timing, kBeat);
  const auto first = memory.read(Cycle(0), 0, 16);
  CHECK(first.step == 1);
  CHECK(first.last() == Cycle(16));
  CHECK(memory.read(Cycle(1), 0, 16).first == Cycle(17 + 5));  // 16/3 cycles
  CHECK(memory.read(Cycle(2), 0, 16).first == Cycle(38 + 5));  // 32/3 in all
  CHECK(memory.read(Cycle(3), 0, 1).first == Cycle(59 + 6));   // 48/3: what 64 beats take is 64 cycles and a third
  CHECK(memory.write(Cycle(4), 0, 3) == 1);
  for (int i = 5; i < 7; ++i) static_cast<void>(memory.write_beat(Cycle(static_cast<uint64_t>(i)), false));
  static_cast<void>(memory.write_beat(Cycle(7), true));
  CHECK_FALSE(memory.beat_ready(Cycle(8)));
  CHECK(memory.beat_ready(Cycle(9)));
  // A memory that is faster than the bus gives a beat a cycle
  timing.rate = {12'800, 100};
  CHECK(AxiMemory(timing, kBeat).read(Cycle(0), 0, 16).last() == Cycle(16));
}

TEST_CASE("an open row answers at once, another one of its bank must be closed first", "[unit]") {
  MemoryTiming timing = with_latency(10);
  timing.banks = {2, Bytes(1024), Cycles(5), Cycles(7), Cycles(3), Cycles(0), Cycles(0)};
  AxiMemory memory(timing, kBeat);
  CHECK(memory.read(Cycle(0), 0, 1).first == Cycle(10 + 5 + 3));          // opens row 0 of bank 0
  CHECK(memory.read(Cycle(100), 8, 1).first == Cycle(100 + 10 + 3));      // the same row
  CHECK(memory.read(Cycle(200), 1024, 1).first == Cycle(200 + 10 + 8));   // row 0 of bank 1
  CHECK(memory.read(Cycle(300), 2048, 1).first == Cycle(300 + 10 + 15));  // row 1 of bank 0
  CHECK(memory.read(Cycle(400), 1032, 1).first == Cycle(400 + 10 + 3));   // bank 1 is still open
}

TEST_CASE("a refresh closes every row and holds up what comes during it", "[unit]") {
  MemoryTiming timing = with_latency(10);
  timing.banks = {2, Bytes(1024), Cycles(5), Cycles(7), Cycles(3), Cycles(1000), Cycles(20)};
  AxiMemory memory(timing, kBeat);
  CHECK(memory.read(Cycle(0), 0, 1).first == Cycle(18));
  CHECK(memory.read(Cycle(1005), 0, 1).first == Cycle(1005 + 10 + 15 + 8));
  CHECK(memory.read(Cycle(1100), 0, 1).first == Cycle(1100 + 13));
}

TEST_CASE("writes open rows and are held up like reads, and their responses keep the order of the data", "[unit]") {
  MemoryTiming timing = with_latency(10);
  timing.banks.emplace();
  timing.banks->activate = Cycles(5);
  timing.banks->precharge = Cycles(4);
  timing.banks->column = Cycles(3);
  AxiMemory memory(timing, kBeat);
  memory.write(Cycle(0), 0, 1);
  CHECK(memory.write_beat(Cycle(1), true) == Cycle(1 + 10 + 5 + 3));
  memory.write(Cycle(100), 64, 1);  // the row is open
  CHECK(memory.write_beat(Cycle(101), true) == Cycle(101 + 10 + 3));
  memory.write(Cycle(200), 8 * 2048, 1);  // another row of the same bank
  memory.write(Cycle(201), 8 * 2048 + 64, 1);
  CHECK(memory.write_beat(Cycle(202), true) == Cycle(202 + 10 + 4 + 5 + 3));
  CHECK(memory.write_beat(Cycle(203), true) >= Cycle(202 + 10 + 4 + 5 + 3 + 1));
  memory.reset();
  memory.write(Cycle(0), 8 * 2048, 1);
  CHECK(memory.write_beat(Cycle(1), true) == Cycle(1 + 10 + 5 + 3));  // all rows are closed again
}

TEST_CASE("jitter depends on the seed and the burst, and never reorders data", "[unit]") {
  MemoryTiming timing = with_latency(10);
  timing.max_jitter = Cycles(30);
  const auto times = [&](uint64_t seed) {
    timing.jitter_seed = seed;
    AxiMemory memory(timing, kBeat);
    std::vector<Cycle> first;
    for (uint64_t i = 0; i < 50; ++i) first.push_back(memory.read(Cycle(i * 2), 0, 1).first);
    return first;
  };
  const auto once = times(1);
  CHECK(once == times(1));
  CHECK(once != times(2));
  CHECK(std::is_sorted(once.begin(), once.end()));
}

}  // namespace vantage::test::hw_memory_axi_memory_test
