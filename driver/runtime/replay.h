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

// Resets the device first. On one that runs no images (Accelerator::runs_images()) the bundle's program is recovered
// (hw/program/recover.h) and placed where the device has room. Throws Error when the bundle names a counter that does
// not exist, and there when its program cannot be recovered.
ReplayResult replay(Accelerator& device, const Bundle& bundle, const RunOptions& options = {});

}  // namespace vantage::driver
