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
#include "hw/energy/energy.h"
#include "workload/roofline.h"
#include "workload/workload.h"

namespace vantage::workload {

struct Measurement {
  std::string workload, target, dtype;
  // Of accelerators: the configuration's name, the clock of its cycles, and the memory's name where it was set by one
  std::string config = {};
  double clock_mhz = 0;
  std::string memory = {};
  std::optional<double> seconds = {};                // of targets that have time
  std::optional<Cycles> cycles = {};                 // of simulated ones, and
  std::optional<Cycles> host_cycles = {};            // of published ones what their host takes before that
  uint64_t useful_operations = 0;                    // useful_work.h; of every device
  std::optional<uint64_t> executed_operations = {};  // of accelerators, padding included
  Bytes bytes = {};  // of accelerators what crossed the bus, of processors what must be touched
  std::optional<Roofline> roofline = {};
  std::optional<driver::RunResult> run = {};  // of accelerators, and what it spends, where someone reckons that
  std::optional<energy::Energy> energy = {};
  std::string difference = {};  // empty: the result is right

  bool ok() const { return difference.empty(); }
  // Useful operations per byte.
  double intensity() const { return static_cast<double>(useful_operations) / static_cast<double>(bytes.count()); }
  // In 10^9 operations a second.
  std::optional<double> useful_gops() const;
  std::optional<double> executed_gops() const;
  // Useful operations by what is attainable at this intensity.
  std::optional<double> roofline_share() const;
};

// A workload with what it is to give.
struct Comparison {
  const Workload& workload;
  const Operands& operands;
  const Reference& expected;
};

// All throw Error when the target cannot do the workload. Accelerators multiply int8 alone. `memory`: of a device that
// was opened with a memory setting.
Measurement measure_on_accelerator(const Comparison& comparison, driver::Accelerator& device,
                                   const std::function<ops::VtaConv2dMapping(const Conv2dShape&)>& mapping,
                                   const std::optional<MemoryTiming>& memory = {});
Measurement measure_on_cpu(const Comparison& comparison, driver::Processor& cpu, const driver::TimeOptions& time);
// In float32 where the library does not have the workload's type.
Measurement measure_on_library(const Comparison& comparison, driver::Library& library, const driver::TimeOptions& time);

}  // namespace vantage::workload
