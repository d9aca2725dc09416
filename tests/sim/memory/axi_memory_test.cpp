#include "sim/memory/axi_memory.h"

#include "tests/catch.h"

using namespace vantage;
using sim::AxiMemory;
using sim::MemoryTiming;

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
  const auto beats = memory.read(10, 0, 16);
  CHECK(beats.first == 74);
  CHECK(beats.step == 1);
  CHECK(beats.last == 89);
}

TEST_CASE("no beat comes in the cycle of its address, even without latency", "[unit]") {
  AxiMemory memory(with_latency(0), kBeat);
  CHECK(memory.read(10, 0, 1).first == 11);
  memory.write(10, 0);
  CHECK(memory.write_beat(11, true) == 12);
}

TEST_CASE("requests pipeline, and data stay in the order of the addresses", "[unit]") {
  AxiMemory memory(with_latency(64), kBeat);
  CHECK(memory.read(0, 0, 16).last == 79);
  CHECK(memory.read(1, 0, 16).first == 80);
  CHECK(memory.read(200, 0, 16).first == 264);
}

TEST_CASE("a full memory takes no address until a burst has ended", "[unit]") {
  MemoryTiming timing = with_latency(4);
  timing.max_reads = 2;
  timing.max_writes = 1;
  AxiMemory memory(timing, kBeat);
  CHECK(memory.read(0, 0, 1).last == 4);
  CHECK(memory.read_ready(1));
  CHECK(memory.read(1, 0, 1).last == 5);
  CHECK_FALSE(memory.read_ready(4));
  CHECK(memory.read_ready(5));
  CHECK(memory.read_ready_from(2) == 5);
  CHECK(memory.read_ready_from(9) == 9);

  CHECK(memory.write_ready(1));
  memory.write(1, 0);
  CHECK_FALSE(memory.write_ready(2));
  CHECK(memory.write_ready_from(2) == UINT64_MAX);  // nobody knows when its data come
  CHECK(memory.write_beat(2, false) == 0);
  CHECK(memory.write_beat(3, true) == 7);
  CHECK_FALSE(memory.write_ready(7));
  CHECK(memory.write_ready(8));
  CHECK(memory.write_ready_from(4) == 8);
}

TEST_CASE("a memory narrower than the bus takes several cycles for a beat", "[unit]") {
  MemoryTiming timing = with_latency(64);
  timing.bytes_per_cycle = Bytes(2);
  AxiMemory memory(timing, kBeat);
  const auto beats = memory.read(0, 0, 4);
  CHECK(beats.first == 67);  // the beat's last byte
  CHECK(beats.step == 4);
  CHECK(beats.last == 79);
  CHECK(memory.read(1, 0, 1).first == 83);
  memory.write(1, 0);
  CHECK(memory.beat_ready(2));
  static_cast<void>(memory.write_beat(2, false));
  CHECK_FALSE(memory.beat_ready(5));
  CHECK(memory.beat_ready(6));
}

TEST_CASE("an open row answers at once, another one of its bank must be closed first", "[unit]") {
  MemoryTiming timing = with_latency(10);
  timing.banks = {2, Bytes(1024), Cycles(5), Cycles(7), Cycles(3), Cycles(0), Cycles(0)};
  AxiMemory memory(timing, kBeat);
  CHECK(memory.read(0, 0, 1).first == 10 + 5 + 3);          // opens row 0 of bank 0
  CHECK(memory.read(100, 8, 1).first == 100 + 10 + 3);      // the same row
  CHECK(memory.read(200, 1024, 1).first == 200 + 10 + 8);   // row 0 of bank 1
  CHECK(memory.read(300, 2048, 1).first == 300 + 10 + 15);  // row 1 of bank 0
  CHECK(memory.read(400, 1032, 1).first == 400 + 10 + 3);   // bank 1 is still open
}

TEST_CASE("a refresh closes every row and holds up what comes during it", "[unit]") {
  MemoryTiming timing = with_latency(10);
  timing.banks = {2, Bytes(1024), Cycles(5), Cycles(7), Cycles(3), Cycles(1000), Cycles(20)};
  AxiMemory memory(timing, kBeat);
  CHECK(memory.read(0, 0, 1).first == 18);
  CHECK(memory.read(1005, 0, 1).first == 1005 + 10 + 15 + 8);
  CHECK(memory.read(1100, 0, 1).first == 1100 + 13);
}

TEST_CASE("writes open rows and are held up like reads, and their responses keep the order of the data", "[unit]") {
  MemoryTiming timing = with_latency(10);
  timing.banks.emplace();
  timing.banks->activate = Cycles(5);
  timing.banks->precharge = Cycles(4);
  timing.banks->column = Cycles(3);
  AxiMemory memory(timing, kBeat);
  memory.write(0, 0);
  CHECK(memory.write_beat(1, true) == 1 + 10 + 5 + 3);
  memory.write(100, 64);  // the row is open
  CHECK(memory.write_beat(101, true) == 101 + 10 + 3);
  memory.write(200, 8 * 2048);  // another row of the same bank
  memory.write(201, 8 * 2048 + 64);
  CHECK(memory.write_beat(202, true) == 202 + 10 + 4 + 5 + 3);
  CHECK(memory.write_beat(203, true) >= 202 + 10 + 4 + 5 + 3 + 1);
  memory.reset();
  memory.write(0, 8 * 2048);
  CHECK(memory.write_beat(1, true) == 1 + 10 + 5 + 3);  // all rows are closed again
}

TEST_CASE("jitter depends on the seed and the burst, and never reorders data", "[unit]") {
  MemoryTiming timing = with_latency(10);
  timing.max_jitter = Cycles(30);
  const auto times = [&](uint64_t seed) {
    timing.jitter_seed = seed;
    AxiMemory memory(timing, kBeat);
    std::vector<uint64_t> first;
    for (uint64_t i = 0; i < 50; ++i) first.push_back(memory.read(i * 2, 0, 1).first);
    return first;
  };
  const auto once = times(1);
  CHECK(once == times(1));
  CHECK(once != times(2));
  CHECK(std::is_sorted(once.begin(), once.end()));
}
