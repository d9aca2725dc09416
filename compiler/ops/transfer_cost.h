// What transfers cost at the grain of tiles, for searches that weigh many tilings: bursts in flight, the memory's
// latency and rate. Programs are weighed instruction by instruction (compiler/backend/vta/timing).
#pragma once

#include <cstdint>

#include "hw/isa/config.h"
#include "hw/isa/timing.h"
#include "hw/memory/memory_timing.h"

namespace vantage::ops {

// Times in cycles.
struct TransferCost {
  TransferCost(const MemoryTiming& memory, const isa::Config& config);

  int64_t bus;         // bytes of a beat
  int64_t latency;     // of a read
  int64_t start;       // until the first burst of instructions is there
  int64_t small_load;  // of a few micro-ops or biases, from its dispatch to the issue of the nest that waits for it
  int64_t store_end;   // from the read of a store's last beat to the issue of an instruction that waits for its token

  int64_t beats(int64_t bytes) const { return (bytes + bus - 1) / bus; }
  // That so many beats take to pass.
  int64_t cycles(int64_t beats) const { return (beats * rate_cycles + rate_beats - 1) / rate_beats; }
  // The bus is taken by so many rows of so many bytes, not 0. Many short bursts under way give no beat every cycle.
  int64_t load(int64_t rows, int64_t row_bytes) const { return pass(rows, row_bytes, reads, read_round); }
  int64_t store(int64_t rows, int64_t row_bytes) const { return pass(rows, row_bytes, writes, write_round); }
  // That so many instructions take at the least, however little each one moves: few of them are under way.
  int64_t loads(int64_t instructions) const { return instructions * read_round / (isa::timing::kWaitingLoads + 1); }
  int64_t stores(int64_t instructions) const { return instructions * store_end / isa::timing::kStores; }

 private:
  int64_t pass(int64_t rows, int64_t row_bytes, int64_t places, int64_t round) const;

  int64_t rate_cycles = 1, rate_beats = 1;  // so many cycles for so many beats
  int64_t reads, writes;                    // bursts under way
  // From the cycle in which a burst is asked for to that in which the next can take its place.
  int64_t read_round, write_round;
};

}  // namespace vantage::ops
