// What a network's run prints, whether it was compiled in the same process or came from a file.
#pragma once

#include <optional>
#include <string>

#include "base/json_fwd.h"
#include "cli/energy_option.h"
#include "cli/options.h"
#include "cli/report_options.h"
#include "driver/device/time_evaluator.h"
#include "network/network.h"
#include "workload/network_run.h"

namespace vantage::cli {

struct NetworkReport {
  const Network& network;
  const TargetOptions& target;  // of its programs
  const workload::NetworkMeasurement& measured;
  EnergyReport energy = {};  // where it was asked for
  std::optional<report::WhatIfs> what_ifs = {};
  std::string functions_on = "cpu:";  // the device of its functions

  // "resnet18 on systemc: 1x16_i8w8a32_15_15_18_17 at 100 MHz, memory m64"; with `layers` a line for each step; cycles
  // of the accelerator, the processor's time, and how long both take by what needs what.
  std::string text(bool layers) const;
  // A line for runs of the whole network that were timed (NetworkExecutor::time).
  std::string text(const driver::Timing& timing) const;
  // The same as a member, with median, min and runs: host_ms, or of a GPU gpu_run_ms.
  void add(const driver::Timing& timing, Json& json) const;
  // Model, target (functions_on where there are no programs), config, clock, memory, cycles, times, layers
  // (docs/json.md).
  Json json() const;
  // The page and the drawing, as far as they are wanted. Throws Error.
  void write(const ReportOptions& options, bool prints_json) const;
};

// What the network's programs have spent. Throws Error like EnergyOption::report.
EnergyReport energy_report(const EnergyOption& option, const Network& network, const std::string& target,
                           const workload::NetworkMeasurement& measured);

}  // namespace vantage::cli
