// The steps of a network, as they ran, as a table and as JSON.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "workload/network_run.h"

namespace vantage::cli {

// A line for each step: device, cycles or ms, bytes, useful multiplications a second, and how near its bound a program
// is.
std::string layer_table(const workload::NetworkMeasurement& measured);
Json layers_json(const workload::NetworkMeasurement& measured);

}  // namespace vantage::cli
