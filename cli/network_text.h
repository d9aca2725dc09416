// Networks as tables and JSON: their layers as they ran, and what takes which.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "hw/isa/config.h"
#include "workload/network_run.h"
#include "workload/prepared_network.h"

namespace vantage::cli {

// A line for each step: device, cycles or ms, bytes, multiplications a cycle that are useful and of all, and how near
// its bound a program is.
std::string layer_table(const workload::NetworkMeasurement& measured, const isa::Config& config);
Json layers_json(const workload::NetworkMeasurement& measured, const isa::Config& config);

// A line for each operator that an accelerator is for: what takes it, with its bound and what binds, or why not.
std::string placement_table(const workload::PreparedNetwork& prepared);
Json placements_json(const workload::PreparedNetwork& prepared);

}  // namespace vantage::cli
