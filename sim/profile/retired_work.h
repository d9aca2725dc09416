// What engines worked on as far as retire records tell: an instruction from its issue to its retirement.
//
// Thread safety: functions without state.
#pragma once

#include <span>
#include <vector>

#include "sim/profile/recorded_run.h"

namespace vantage::sim {

// Of machines that know no better. Spans of an engine may share cycles, as in a pipeline. FINISH and transfers of
// nothing have none.
std::vector<EngineWork> retired_work(std::span<const isa::Insn> insns, std::span<const RetireRecord> retired);

}  // namespace vantage::sim
