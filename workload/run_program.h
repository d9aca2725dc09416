// A program for an accelerator, run once with buffers for its tensors.
//
// Thread safety: as the device's.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/device/accelerator.h"
#include "hw/program/bundle.h"

namespace vantage::workload {

struct ProgramRun {
  driver::RunResult result;
  std::map<std::string, std::vector<std::byte>> outputs;  // the bytes of every output tensor, by name
  std::optional<Bundle> bundle;                           // when recorded
};

struct ProgramRunOptions {
  std::string record;  // the name of a bundle to make; empty: none
  driver::RunOptions run;
};

// Runs `program` on buffers of its own that begin with the bytes of `inputs`, by the names of its tensors; what is not
// given is zero, as are the last bytes of a buffer that is larger. Throws Error for an input that is not the program's
// or too large, and when the run does not end well, beginning with `name`.
ProgramRun run_program(driver::Accelerator& device, const Program& program, const std::string& name,
                       const std::map<std::string, std::span<const std::byte>>& inputs,
                       const ProgramRunOptions& options = {});

}  // namespace vantage::workload
