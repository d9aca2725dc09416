// A program loaded onto a device: verified, placed, linked to the buffers of its tensors, ready to run many times.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/device/accelerator.h"
#include "hw/spec/program.h"

namespace vantage::driver {

class Executable {
 public:
  // `tensors` names a buffer for every tensor of the program; they must outlive the executable. Throws Error when the
  // program is for another configuration, when the verifier refuses it (its first message), or when a buffer is missing
  // or too small.
  Executable(Accelerator& device, const Program& program, const std::map<std::string, const Buffer*>& tensors);

  // Runs it. Scratchpads carry over from the previous run on this device; the machine checks every access as it runs.
  RunResult run(const RunOptions& options = {});

  const Program& program() const { return program_; }
  ProgramImage image() const { return {insns_.address(), program_.insns.size()}; }

  // What lies in memory for this program: one entry per tensor, then the micro-ops, then the instructions.
  struct Region {
    std::string name;
    Bytes address;
    Bytes size;
    bool is_output;
  };
  std::vector<Region> regions() const;

 private:
  Accelerator& device_;
  Program program_;
  std::vector<const Buffer*> tensors_;  // by index in Program::tensors
  Buffer uops_;
  Buffer insns_;
};

}  // namespace vantage::driver
