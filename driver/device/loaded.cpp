#include "driver/device/loaded.h"

#include "base/error.h"

namespace vantage::driver {

Timing Loaded::time_runs(const TimeOptions& time, const RunOptions& options) {
  const auto run_well = [&] {
    const RunResult result = run(options);
    if (!result.ok()) fail("a run that was to be timed ended with {}", sim::failure(result));
  };
  return time_evaluator(run_well, time);
}

}  // namespace vantage::driver
