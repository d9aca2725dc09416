// How long a program takes: the core's pipelines by the rules of hw/isa/timing.h, instruction by instruction and burst
// by burst, without the data. It is an estimate in that bursts of fetch and of loads may be granted before one of the
// compute stage whose turn it was, that reads and writes do not meet in a memory's banks, that buffers lie one behind
// another, and that a store's beats are not followed one by one.
//
// Thread safety: functions without state.
#pragma once

#include <optional>
#include <span>

#include "compiler/backend/vta/timing/step.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::vta {

// Clock cycles of a run of these steps, FINISH last. Nothing when they are more than `limit`. REQUIRES: `after` of each
// names earlier ones.
std::optional<uint64_t> estimate_cycles(std::span<const Step> steps, const isa::Config& config,
                                        const MemoryTiming& memory, uint64_t limit = UINT64_MAX);
// Of a program. REQUIRES: as steps_of().
uint64_t estimate_cycles(const Program& program, const MemoryTiming& memory);

}  // namespace vantage::vta
