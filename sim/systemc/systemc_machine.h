// The SystemC model as a machine: any configuration, cycles equal to the RTL's.
#pragma once

#include <memory>

#include "sim/machine.h"
#include "sim/memory/memory_timing.h"

namespace vantage::sim {

struct SystemCOptions {
  MemoryTiming memory;
};

// Thread safety: machines may be used from different threads, each from one at a time. A process has one SystemC
// kernel, so their runs take turns.
std::unique_ptr<Machine> make_systemc_machine(const spec::Config& config, const SystemCOptions& options);

}  // namespace vantage::sim
