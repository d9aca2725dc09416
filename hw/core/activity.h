// What a core's memories and its ALU do in a run, in events that take energy: elements read from and written to each
// scratchpad, as the hardware of docs/hardware.md does it. These are no registers: simulators count them, boards do
// not.
//
// Thread safety: functions without state.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "hw/isa/config.h"
#include "hw/isa/insn.h"

namespace vantage::core {

// Reads and writes are of elements, whether one or several pass a port in a cycle.
struct Activity {
  uint64_t insns = 0;       // FINISH included; each is 16 bytes of DRAM
  uint64_t uop_reads = 0;   // one for each step, and one for each micro-op that an instruction is checked for
  uint64_t uop_writes = 0;  // two for each micro-op that is loaded: each engine has a copy
  uint64_t inp_reads = 0;   // one for each GEMM step, none for a reset's
  uint64_t inp_writes = 0;  // one for each element of a load, pads included
  uint64_t wgt_reads = 0;   // as inp's, both
  uint64_t wgt_writes = 0;
  uint64_t acc_reads = 0;      // one for each step of GEMM and ALU, none for a reset's; one for each source looked up
  uint64_t acc_writes = 0;     // one for each step, resets included, and for each element of a load, as inp's
  uint64_t out_reads = 0;      // of stores; of an element that is larger than a beat one for each of its beats
  uint64_t out_writes = 0;     // with each write of acc: its narrow copy, which stores read
  uint64_t alu_mul_steps = 0;  // of the steps that isa::Counters::alu_counter counts, those that multiply
  bool operator==(const Activity&) const = default;
};

struct ActivityInfo {
  std::string_view name;
  uint64_t Activity::*value;
};

// The one list of their names.
inline constexpr std::array kActivity = {
    ActivityInfo{"insns", &Activity::insns},           ActivityInfo{"uop_reads", &Activity::uop_reads},
    ActivityInfo{"uop_writes", &Activity::uop_writes}, ActivityInfo{"inp_reads", &Activity::inp_reads},
    ActivityInfo{"inp_writes", &Activity::inp_writes}, ActivityInfo{"wgt_reads", &Activity::wgt_reads},
    ActivityInfo{"wgt_writes", &Activity::wgt_writes}, ActivityInfo{"acc_reads", &Activity::acc_reads},
    ActivityInfo{"acc_writes", &Activity::acc_writes}, ActivityInfo{"out_reads", &Activity::out_reads},
    ActivityInfo{"out_writes", &Activity::out_writes}, ActivityInfo{"alu_mul_steps", &Activity::alu_mul_steps},
};

// Adds what an instruction does; this does not depend on data. `uops`: the micro-op scratchpad as it is then. It takes
// time in the number of the instruction's micro-ops, not of its steps. REQUIRES: docs/isa.md does not refuse it.
void add_activity(const isa::Insn& insn, const isa::Config& config, std::span<const isa::MicroOp> uops,
                  Activity& total);

inline Activity& operator+=(Activity& total, const Activity& more) {
  for (const ActivityInfo& info : kActivity) total.*info.value += more.*info.value;
  return total;
}

}  // namespace vantage::core
