// Replays a bundle on a device and compares what it says must hold afterwards.
#pragma once

#include <optional>
#include <string>

#include "driver/device/accelerator.h"
#include "hw/program/bundle.h"

namespace vantage::driver {

struct ReplayResult {
  RunResult run;
  // The first thing that differs: a refused run, a byte (address, tensor element, expected, got) or a counter.
  std::optional<std::string> mismatch;

  bool ok() const { return !mismatch.has_value(); }
};

// Resets the device first. Throws Error when the bundle names a counter that does not exist.
ReplayResult replay(Accelerator& device, const Bundle& bundle, const RunOptions& options = {});

}  // namespace vantage::driver
