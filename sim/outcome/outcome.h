// The result of a run, read from the core's registers (hw/isa/registers.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/machine.h"
#include "sim/outcome/fault.h"

namespace vantage::sim {

// The bits of STATUS.
inline constexpr uint32_t kStatusIdle = 1u << 0;
inline constexpr uint32_t kStatusRunning = 1u << 1;
inline constexpr uint32_t kStatusDone = 1u << 2;
inline constexpr uint32_t kStatusError = 1u << 3;

class CoreRegisters {
 public:
  virtual ~CoreRegisters() = default;
  virtual uint32_t read(uint32_t offset) = 0;
  virtual void write(uint32_t offset, uint32_t value) = 0;
};

// A register by name; both halves of one of 64 bits.
uint64_t read_register(CoreRegisters& core, std::string_view name);
void write_register(CoreRegisters& core, std::string_view name, uint32_t value);

// Counters, cycles and stages as they are now.
void read_counters(CoreRegisters& core, RunResult& result);

// The same of a run that is over, with its status, why it failed, and tokens that were left; clears what STATUS shows.
// REQUIRES: STATUS shows done or error.
void read_outcome(CoreRegisters& core, const FaultContext& context, RunResult& result);

}  // namespace vantage::sim
