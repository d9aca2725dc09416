// A device that runs programs of an accelerator. Opened by URI.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "driver/device/device.h"
#include "hw/spec/config.h"
#include "sim/machine.h"
#include "sim/memory/memory_timing.h"

namespace vantage::driver {

using sim::ProgramImage;
using sim::RunOptions;
using sim::RunResult;

// What an accelerator may be told when it is opened. One refuses what means nothing to it.
struct AcceleratorOptions {
  std::optional<sim::MemoryTiming> memory;  // of a device with time; M64 by default
  std::filesystem::path trace;              // a file to record what happens inside, until finish_trace(); empty: none
  std::filesystem::path vcd;                // the same for what is in the queues
  // Called with what begins, when opening takes seconds.
  std::function<void(const std::string&)> progress;
};

class Accelerator : public Device {
 public:
  // Opens `uri` ("fsim:") for accelerators of this configuration, with zeroed memory and scratchpads. Throws Error
  // for a scheme that is not known, with the ones that are, and for an option that the device does not have.
  static std::unique_ptr<Accelerator> open(std::string_view uri, const spec::Config& config,
                                           const AcceleratorOptions& options = {});

  virtual const spec::Config& config() const = 0;

  // Runs encoded instructions that lie in device memory.
  virtual RunResult run(const ProgramImage& image, const RunOptions& options) = 0;

  // The micro-op scratchpad as the last run left it.
  virtual std::vector<isa::MicroOp> micro_ops() const = 0;

  // Puts AcceleratorOptions::trace in place; see sim::Machine::finish_trace.
  virtual void finish_trace() = 0;

  // As just opened: memory and scratchpads zero. Buffers keep their addresses.
  virtual void reset() = 0;
};

const std::vector<DeviceKind>& accelerator_kinds();

}  // namespace vantage::driver
