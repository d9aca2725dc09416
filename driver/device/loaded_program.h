// A program on an accelerator, ready to run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/device/device.h"
#include "driver/device/time_evaluator.h"
#include "hw/program/program.h"
#include "sim/machine.h"

namespace vantage::driver {

using sim::ProgramImage;
using sim::RunOptions;
using sim::RunResult;

class Accelerator;

// What lies in device memory for a program.
struct Region {
  std::string name;
  Bytes address;
  Bytes size;
  bool is_output = false;
};

class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;

  // Runs it. Scratchpads carry over from the previous run on this device; the device checks every access as it runs.
  virtual RunResult run(const RunOptions& options) = 0;
  // How long a run takes, seen from where the device is. Throws Error when a run fails.
  virtual Timing time(const TimeOptions& time, const RunOptions& options);
  // Where its instructions lie.
  virtual ProgramImage image() const = 0;
  // One entry per tensor, then the micro-ops, then the instructions.
  virtual std::vector<Region> regions() const = 0;
};

// Throws Error, naming the instruction, unless every transfer is in one of the program's tensors or its micro-ops: for
// devices whose memory has other users.
void require_relocated(const Program& program);

// Accelerator::load for a device whose memory and runs this process controls.
std::unique_ptr<LoadedProgram> load_into_memory(Accelerator& device, const Program& program,
                                                const std::vector<const Buffer*>& tensors);

}  // namespace vantage::driver
