// What a run on a machine with time amounts to: how fast, how well used, and what holds it back.
#pragma once

#include <string>

#include "hw/isa/config.h"
#include "sim/machine.h"

namespace vantage::sim {

struct Summary {
  double seconds;           // cycles at the configuration's CLOCK_MHZ
  double gops;              // 2 * BATCH * BLOCK_IN * BLOCK_OUT operations for each GEMM step, in 10^9 a second
  double gemm_utilisation;  // GEMM steps by cycles, 0 to 1
  double read_utilisation;  // bytes of loads by what the bus could have brought; instructions are not counted
  double write_utilisation;
  std::string bottleneck;  // one sentence (bottleneck.h)
};

// REQUIRES: result.cycles, and they are not zero.
Summary summarize(const isa::Config& config, const RunResult& result);

}  // namespace vantage::sim
