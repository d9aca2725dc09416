// What a run on a machine with time amounts to: how fast, how well used, and what holds it back.
#pragma once

#include <optional>
#include <string>

#include "hw/isa/config.h"
#include "sim/machine.h"
#include "sim/profile/work.h"

namespace vantage::sim {

// Shares are from 0 to 1.
struct Summary {
  double seconds;  // at clock_mhz(config, result)
  Executed executed;
  double executed_gops;                           // padding included, in 10^9 operations a second
  std::optional<double> useful_gops;              // what the workload needed, where it is known
  double gemm_utilisation;                        // GEMM steps by cycles
  std::optional<double> useful_gemm_utilisation;  // of a workload that multiplies
  double alu_utilisation;                         // ALU steps by cycles
  double read_utilisation;  // bytes of loads by what the bus could have brought; instructions are not counted
  double write_utilisation;
  std::string bottleneck;  // a sentence or two (bottleneck.h)
};

// `work`: what the program was for, null where nobody knows. REQUIRES: result.cycles, and they are not zero.
Summary summarize(const isa::Config& config, const RunResult& result, const Work* work = nullptr);

}  // namespace vantage::sim
