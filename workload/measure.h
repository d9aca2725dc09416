// A workload on one target each, and what came of it: what every table and file of comparisons is made of.
//
// Thread safety: one measurement at a time on a device; others disturb its time.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/units.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "driver/baselines/library.h"
#include "driver/device/accelerator.h"
#include "driver/device/time_evaluator.h"
#include "workload/roofline.h"
#include "workload/workload.h"

namespace vantage::workload {

struct Measurement {
  std::string workload, target, dtype;
  std::optional<double> seconds = {};  // of targets that have time
  std::optional<Cycles> cycles = {};   // of simulated ones
  int64_t operations = 0;              // useful ones: what pads tiles is not counted
  Bytes bytes = {};                    // of accelerators what crossed the bus, of processors what must be touched
  std::optional<Roofline> roofline = {};
  std::string difference = {};  // empty: the result is right

  bool ok() const { return difference.empty(); }
  // Operations per byte.
  double intensity() const { return static_cast<double>(operations) / static_cast<double>(bytes.count()); }
  // In 10^9 operations a second.
  std::optional<double> gops() const;
  // Of what is attainable at this intensity.
  std::optional<double> roofline_share() const;
};

// A workload with what it is to give.
struct Comparison {
  const Workload& workload;
  const Operands& operands;
  const Reference& expected;
};

// All throw Error when the target cannot do the workload. Accelerators multiply int8 alone.
Measurement measure_on_accelerator(const Comparison& comparison, driver::Accelerator& device,
                                   const std::function<ops::VtaConv2dTiling(const Conv2dShape&)>& tiling);
Measurement measure_on_cpu(const Comparison& comparison, driver::Processor& cpu, const driver::TimeOptions& time);
// In float32 where the library does not have the workload's type.
Measurement measure_on_library(const Comparison& comparison, driver::Library& library, const driver::TimeOptions& time);

}  // namespace vantage::workload
