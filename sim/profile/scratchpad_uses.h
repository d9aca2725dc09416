// Which entries of the scratchpads an instruction touches, and how many hold something that is still wanted.
//
// Thread safety: functions without state.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "hw/isa/insn.h"
#include "sim/profile/recorded_run.h"

namespace vantage::sim {

// Adds what instruction number `index` touches when it runs with these micro-ops. REQUIRES: it is legal.
void append_uses(std::vector<ScratchpadUse>& uses, uint32_t index, const isa::Insn& insn,
                 std::span<const isa::MicroOp> uops);

// How many entries of every scratchpad hold something that is read later in the run, by cycle: an entry counts from
// the first cycle in which the instruction that filled it worked to the last of its last reader, or to the first of the
// one that fills it anew. Empty for runs whose uses were not recorded.
std::map<isa::Memory, Changes> occupied_entries(const RecordedRun& run);

}  // namespace vantage::sim
