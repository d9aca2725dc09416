#pragma once

#include <random>

#include "hw/memory/memory_timing.h"

namespace vantage::test {

// A memory setting that no file has: limits, rates, banks and jitter at random.
inline MemoryTiming random_memory(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t n) { return random() % n; };
  MemoryTiming memory;
  memory.name = "random";
  memory.read_latency = Cycles(below(70));
  memory.write_latency = Cycles(below(70));
  memory.max_reads = below(18);
  memory.max_writes = below(18);
  if (below(3) == 0) memory.max_jitter = Cycles(below(40));
  memory.jitter_seed = seed;
  if (below(4) == 0) memory.rate = {uint64_t{1} << below(4), 1};
  if (below(4) == 0) memory.rate = {1 + below(90), 1 + below(7)};  // beats that take no whole number of cycles
  if (below(3) == 0) {
    memory.banks = BankTiming{.banks = 4,
                              .row_size = Bytes(1024),
                              .activate = Cycles(below(5)),
                              .precharge = Cycles(below(5)),
                              .column = Cycles(below(4)),
                              .refresh_interval = Cycles(300),
                              .refresh = Cycles(20)};
  }
  return memory;
}

}  // namespace vantage::test
