// Something on a device, bound to its tensors, ready to be called many times: a program on an accelerator, a compiled
// function or a library's operator on a processor.
//
// Every call reads its inputs and writes its outputs where they lie in the device's memory at that time.
//
// Lifetime: the device and the tensors that it was bound to must outlive it.
// Thread safety: it counts as a use of its device, which is one thread at a time where the device does not say
// otherwise.
#pragma once

#include "driver/device/time_evaluator.h"
#include "sim/machine.h"

namespace vantage::driver {

using sim::RunOptions;
using sim::RunResult;

class Loaded {
 public:
  Loaded() = default;
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  virtual ~Loaded() = default;

  // Calls it once, and waits for its end. A run that the device ended before its time is a result: the status says how,
  // the message why, and outputs may be half written. What a kind of device cannot tell (counters, cycles, records) is
  // zero or missing in its results. Throws Error for options that this kind of device refuses, for tensors that turn
  // out not to fit, and when the device cannot run it: it is gone, or it has no memory left.
  RunResult run(const RunOptions& options = {}) { return run_once(options); }
  // How long a run takes, seen from where the device is: once to warm up, then as time_evaluator does. Throws Error
  // like run() and time_evaluator, and when a run does not end well.
  Timing time(const TimeOptions& time = {}, const RunOptions& options = {}) { return time_runs(time, options); }

 protected:
  virtual RunResult run_once(const RunOptions& options) = 0;
  // By time_evaluator over run_once(), unless a device has a nearer way.
  virtual Timing time_runs(const TimeOptions& time, const RunOptions& options);
};

}  // namespace vantage::driver
