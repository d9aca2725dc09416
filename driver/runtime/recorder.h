// Records runs as bundles. A recorded run is one call; the bundle is complete once the run has ended well.
#pragma once

#include <string>

#include "driver/device/accelerator.h"
#include "hw/program/bundle.h"

namespace vantage::driver {

struct RecordedRun {
  RunResult result;
  Bundle bundle;
};

// Runs `program`, which was loaded onto `device`, and freezes the memory before, the output tensors after, and the
// counters. The bundle starts from zeroed scratchpads, as every replay does: the program must load whatever it uses.
RecordedRun run_and_record(Accelerator& device, LoadedProgram& program, const std::string& name,
                           const RunOptions& options = {});

}  // namespace vantage::driver
