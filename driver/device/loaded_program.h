// A program on an accelerator, ready to run.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "driver/device/device.h"
#include "driver/device/loaded.h"
#include "hw/program/program.h"

namespace vantage::driver {

using sim::ProgramImage;

class Accelerator;

// What lies in device memory for a program.
struct Region {
  std::string name;
  Bytes address;
  Bytes size;
  bool is_output = false;
  bool operator==(const Region&) const = default;
};

// Scratchpads carry over from the run before on the same device, whichever program's it was. The device checks every
// access as it runs.
class LoadedProgram : public Loaded {
 public:
  // Where its instructions lie.
  virtual ProgramImage image() const = 0;
  // One entry per tensor, then the micro-ops, then the instructions.
  virtual std::vector<Region> regions() const = 0;
};

// Throws Error, naming the instruction, unless every transfer is in one of the program's tensors or its micro-ops: for
// devices whose memory has other users. Throws Stopped (base/stop.h) when told to stop, as does the next.
void require_relocated(const Program& program, const std::stop_token& stop = {});

// What Accelerator::load does on a device whose memory and runs this process controls. REQUIRES: a buffer for every
// tensor of the program, in its order.
std::unique_ptr<LoadedProgram> load_into_memory(Accelerator& device, const Program& program,
                                                const std::vector<const Buffer*>& tensors, const std::stop_token& stop);

}  // namespace vantage::driver
