// An accelerator that was published as a bitstream: the functional simulator's results, and cycles by the event model.
#pragma once

#include <filesystem>
#include <memory>

#include "sim/machine.h"
#include "sim/profile/recorded_run.h"
#include "sim/published/published_timing.h"

namespace vantage::sim {

struct PublishedOptions {
  PublishedTiming timing;
  std::filesystem::path timeline;  // a file for a Timeline of all runs until finish_trace(); empty: none
  std::filesystem::path vcd;       // the same for Waves
  RunObserver observer = {};       // told of every run
};

// Throws Error when it is of another configuration. Thread safety: none; one machine per thread.
std::unique_ptr<Machine> make_published_machine(const isa::Config& config, PublishedOptions options);

}  // namespace vantage::sim
