// The RTL as a machine: a Verilated core, driven through its registers like the real one, with a timed memory.
//
// Every run is watched by the rules of AXI4 (axi_rules.h); one that breaks a rule throws AxiViolation, an
// InternalError. The machine must not be used any more then.
//
// Beyond results and counters it reports cycles, the stage table and retire records. Cycle 0 is the first after the one
// in which the start bit is written; a run's last cycle is the one in which its last instruction retires.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "hw/memory/memory_timing.h"
#include "sim/machine.h"
#include "sim/profile/recorded_run.h"
#include "sim/rtl/model_library.h"

namespace vantage::sim {

struct RtlOptions {
  MemoryTiming memory;
  std::filesystem::path waves;  // a file to record waves to, until finish_trace(); empty: none
  // For tests: the memory stalls every channel at random, drawn from this seed (back_pressure.h). Results and counters
  // stay what they are, and cycles are no other machine's.
  std::optional<uint64_t> back_pressure = std::nullopt;
  // Told of every run: which instruction each engine worked on, from its issue to its retirement, and nothing of bursts
  // and waits.
  RunObserver observer = {};
  // A run in which nothing happens for so long, no step and no beat either, is a defect of the core (InternalError):
  // memory answers within a few million cycles.
  Cycles hang_after{20'000'000};
};

// `library`: a model of this configuration (model_builder.h). Throws Error like RtlModel.
//
// Thread safety: none; one machine per thread.
std::unique_ptr<Machine> make_rtl_machine(const isa::Config& config, const RtlLibrary& library,
                                          const RtlOptions& options);

}  // namespace vantage::sim
