// Cores and memories with more of something, which what-ifs are asked of.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::workload {

// What something would take with more of something.
struct WhatIf {
  std::string change;           // "twice the bus"
  uint64_t cycles = 0;          // 0: there is no such core, or no such memory
  std::string impossible = {};  // then: why
  std::string note = {};        // what else is different then
};

// A core with twice as much of something.
struct CoreChange {
  std::string name;
  std::vector<std::string> keys;  // whose logarithm is one more
};
const std::vector<CoreChange>& core_changes();
// Throws Error where there is no such core.
isa::Config changed(const isa::Config& config, const CoreChange& change);

// A memory that is faster in some way, or why there is none.
struct MemoryChange {
  std::string name;
  std::optional<MemoryTiming> memory = {};
  std::string impossible = {};
};
std::vector<MemoryChange> memory_changes(const MemoryTiming& memory);

}  // namespace vantage::workload
