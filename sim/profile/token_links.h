// Which instruction's token let which one go.
//
// Thread safety: functions without state.
#pragma once

#include <vector>

#include "hw/isa/tokens.h"
#include "sim/profile/recorded_run.h"

namespace vantage::sim {

// A token that was popped: tokens are taken out of a queue in the order in which they were put in.
struct TokenLink {
  isa::TokenQueue queue;
  uint32_t from, to;      // instructions: the one that pushed it as it retired, and the one that popped it as issued
  Cycles pushed, popped;  // the cycles of these
};

// All tokens of a run, those of each queue in its order. What was pushed and never popped is left out.
std::vector<TokenLink> token_links(const RecordedRun& run);

}  // namespace vantage::sim
