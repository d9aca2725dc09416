// The SystemC model as a machine: any configuration, cycles equal to the RTL's.
#pragma once

#include <filesystem>
#include <memory>

#include "hw/memory/memory_timing.h"
#include "sim/machine.h"
#include "sim/profile/recorded_run.h"

namespace vantage::sim {

struct SystemCOptions {
  MemoryTiming memory;
  std::filesystem::path timeline;  // a file for a Timeline of all runs until finish_trace(); empty: none
  std::filesystem::path vcd;       // the same for Waves
  RunObserver observer = {};       // told of every run
};

// Thread safety: machines may be used from different threads, each from one at a time. A process has one SystemC
// kernel, so their runs take turns.
std::unique_ptr<Machine> make_systemc_machine(const isa::Config& config, const SystemCOptions& options);

}  // namespace vantage::sim
