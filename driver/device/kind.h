// The kinds of device there are, each one entry that whoever opens devices lists.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/device/accelerator.h"

namespace vantage::driver {

struct AcceleratorKind {
  std::string scheme;  // "fsim"
  std::string rest;    // what follows the scheme and its colon: "//HOST:PORT"; empty: nothing may
  std::string meaning;
  bool has_memory = false;        // AcceleratorOptions::memory means something
  std::string traces = {};        // what AcceleratorOptions::trace records, empty: nothing,
  std::string trace_ending = {};  // and how a file's name ends that holds it: ".json"
  bool has_vcd = false;           // AcceleratorOptions::vcd means something
  bool observes = false;          // AcceleratorOptions::observer is told of runs
  bool has_dram = false;          // AcceleratorOptions::dram means something
  bool is_hardware = false;       // there is one of it, which its clients must share
  std::function<std::unique_ptr<Accelerator>(const std::string& uri, const isa::Config&, const AcceleratorOptions&)>
      open = {};
};

// Opens `uri` as the kind of its scheme, for accelerators of this configuration, with zeroed memory and scratchpads.
// Throws Error for a scheme that is not known, with the ones that are, and for an option that the device does not have.
std::unique_ptr<Accelerator> open_as(const std::vector<AcceleratorKind>& kinds, const std::string& uri,
                                     const isa::Config& config, const AcceleratorOptions& options);

}  // namespace vantage::driver
