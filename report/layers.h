// Runs as layers of a report.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "sim/profile/work.h"
#include "workload/network_run.h"

namespace vantage::report {

// A program's run; `work`: what it was for, null where nobody knows.
Layer layer_of(const std::string& name, const isa::Config& config, const sim::RunResult& result, const sim::Work* work);

// The steps of a network.
std::vector<Layer> layers_of(const Network& network, const workload::NetworkMeasurement& measured);

// What holds back all that ran on the accelerator, one after another; empty where nothing did, or has no time.
std::string bottleneck_of(const Network& network, const workload::NetworkMeasurement& measured);

// What the accelerator can do at best at this clock, as a Report says it. Changes nothing else.
void set_accelerator(Report& report, const isa::Config& config, const std::optional<MemoryTiming>& memory,
                     double clock_mhz);

}  // namespace vantage::report
