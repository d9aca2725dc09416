// A program loaded onto a device with a buffer for each of its tensors, by name, ready to run many times.
#pragma once

#include <map>
#include <string>

#include "driver/device/accelerator.h"

namespace vantage::driver {

// The buffers of a program's tensors in its order, from a map by name. Throws Error when one is missing, too small, or
// not the program's.
std::vector<const Buffer*> bind_tensors(const Program& program, const std::map<std::string, const Buffer*>& buffers);

class Executable {
 public:
  // `tensors` names a buffer for every tensor of the program; they must outlive the executable. Throws Error like
  // bind_tensors and Accelerator::load.
  Executable(Accelerator& device, const Program& program, const std::map<std::string, const Buffer*>& tensors);

  RunResult run(const RunOptions& options = {}) { return loaded_->run(options); }
  Timing time(const TimeOptions& time = {}, const RunOptions& options = {}) { return loaded_->time(time, options); }
  ProgramImage image() const { return loaded_->image(); }
  std::vector<Region> regions() const { return loaded_->regions(); }

 private:
  std::unique_ptr<LoadedProgram> loaded_;
};

}  // namespace vantage::driver
