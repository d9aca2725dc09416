// Bytes over an accelerator's bus by what they are, and how few would do.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>

#include "hw/isa/counters.h"
#include "hw/program/program.h"

namespace vantage::workload {

struct Traffic {
  uint64_t inputs = 0, weights = 0, accumulators = 0, micro_ops = 0, outputs = 0;

  uint64_t total() const { return inputs + weights + accumulators + micro_ops + outputs; }
};

Traffic moved(const isa::Counters& counters);

// Every tensor once, as it lies in memory, padding included. Micro-ops are the program's own, and count nothing.
Traffic least_traffic(const Program& program);

}  // namespace vantage::workload
