// How long memory takes: the parameters that every timed machine shares, read from JSON (configs/memory/*.json).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "base/units.h"
#include "hw/isa/timing.h"

namespace vantage::sim {

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

// The defaults are the setting M64.
struct MemoryTiming {
  std::string name = "m64";
  // With an address taken in cycle t the first beat begins in t + max(1, read_latency), and passes in the last of the
  // cycles that it takes (bytes_per_cycle); the last beat of a write taken in t brings its response in
  // t + max(1, write_latency).
  Cycles read_latency{isa::timing::kMemoryLatency};
  Cycles write_latency{isa::timing::kMemoryLatency};
  // Each direction; 0: a beat a cycle, whatever its width
  Bytes bytes_per_cycle{0};
  // Bursts under way, from the address to the last beat or the response; 0: no limit
  uint64_t max_reads = 16;
  uint64_t max_writes = 16;
  // Every burst takes up to so many cycles more, drawn from the seed and the burst's number
  Cycles max_jitter{0};
  uint64_t jitter_seed = 0;
  std::optional<BankTiming> banks;

  bool operator==(const MemoryTiming&) const = default;

  // Each throws Error naming `source`, the key, the value and what would be right. Keys not given have M64's values.
  static MemoryTiming load(const std::filesystem::path& path);
  static MemoryTiming parse(std::string_view json_text, std::string_view source);
  Json to_json() const;
};

}  // namespace vantage::sim
