// Reads the result of a run from the core's registers. hw/isa/register_map.h says what they are; this says what they
// mean for a program.
//
// Thread safety: none; one thread at a time uses a core's registers.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/machine.h"
#include "sim/outcome/fault.h"

namespace vantage::sim {

// The registers of one core, wherever it is: simulated, emulated or on a board. Offsets are those of
// hw/isa/register_map.h, in bytes; an access is of one 32-bit word.
class CoreRegisters {
 public:
  virtual ~CoreRegisters() = default;
  virtual uint32_t read(uint32_t offset) = 0;
  virtual void write(uint32_t offset, uint32_t value) = 0;
};

// Reads or writes a register by its name in hw/isa/register_map.h. Reading one of 64 bits reads both halves, the low
// one first, which gives the value at that moment; writing is for those of 32. REQUIRES: there is a register of that
// name.
uint64_t read_register(CoreRegisters& core, std::string_view name);
void write_register(CoreRegisters& core, std::string_view name, uint32_t value);

// Sets the cycles of the result, its counters and the table of its stages to what the registers show now, also when the
// run has not ended.
void read_counters(CoreRegisters& core, RunResult& result);

// Reads all of that for a run that is over, and its end: the status, the reason of a failure in the words of the
// machines that check programs themselves, and a warning for tokens that nobody took. Then clears DONE and ERROR of
// STATUS.
//
// `context` is the program that ran. Throws Error when the registers say of it what cannot be.
// REQUIRES: STATUS shows DONE or ERROR.
void read_outcome(CoreRegisters& core, const FaultContext& context, RunResult& result);

}  // namespace vantage::sim
