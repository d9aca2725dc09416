// How long memory takes: the parameters that every timed machine shares, read from JSON (configs/memory/*.json).
//
// Machines count cycles of the accelerator's clock, and so do these structures. A file may say nanoseconds and
// gigabytes a second instead, which do not change with the clock: parsing turns them into cycles, and always towards a
// slower memory, so that no run is faster than the memory that was described.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/units.h"
#include "hw/isa/timing.h"

namespace vantage {

// DRAM banks with one open row each. Times in cycles of the accelerator's clock.
struct BankTiming {
  uint64_t banks = 8;       // a power of two; neighbouring rows of addresses lie in neighbouring banks
  Bytes row_size{2048};     // a power of two
  Cycles activate;          // opening a row
  Cycles precharge;         // closing the one that is open
  Cycles column;            // from a column's address to its data
  Cycles refresh_interval;  // every so often all rows close, 0: never
  Cycles refresh;           // ... for so long
  bool operator==(const BankTiming&) const = default;
};

// How fast bytes pass: so many in so many cycles, a fraction that need not be whole. 0 bytes: a beat a cycle, whatever
// its width.
struct MemoryRate {
  uint64_t bytes = 0;
  uint64_t cycles = 1;
  bool operator==(const MemoryRate&) const = default;
};

// The defaults are the setting M64.
struct MemoryTiming {
  std::string name = "m64";
  std::string source;  // where its numbers come from, for people; may be empty
  // With an address taken in cycle t the first beat begins in t + max(1, read_latency), and passes in the last of the
  // cycles that it takes (rate); the last beat of a write taken in t brings its response in
  // t + max(1, write_latency).
  Cycles read_latency{isa::timing::kMemoryLatency};
  Cycles write_latency{isa::timing::kMemoryLatency};
  MemoryRate rate;  // of each direction
  // Bursts under way, from the address to the last beat or the response; 0: no limit
  uint64_t max_reads = 16;
  uint64_t max_writes = 16;
  // Every burst takes up to so many cycles more, drawn from the seed and the burst's number
  Cycles max_jitter{0};
  uint64_t jitter_seed = 0;
  std::optional<BankTiming> banks;

  bool operator==(const MemoryTiming&) const = default;

  // As a core at `clock_mhz` sees it. Each throws Error naming `source`, the key, the value and what would be right.
  // Keys not given have M64's values.
  static MemoryTiming load(const std::filesystem::path& path, int clock_mhz);
  static MemoryTiming parse(std::string_view json_text, std::string_view source, int clock_mhz);
  // In cycles, and with a rate in gbytes_per_s: for a reader that has the same clock.
  Json to_json() const;

  // Every time that it has, by the key for cycles ("read_latency", "banks.activate").
  struct Time {
    std::string name;
    Cycles cycles;
  };
  std::vector<Time> times() const;
  // What passes in a second each way at this clock, over a bus of such beats, in 10^9 bytes.
  double gbytes_per_s(Bytes beat, double clock_mhz) const;
};

// Nanoseconds of so many cycles.
double nanoseconds(Cycles cycles, int clock_mhz);

}  // namespace vantage
