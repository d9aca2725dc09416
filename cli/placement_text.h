// What takes which operator of a network, and why, as a table and as JSON.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "workload/prepared_network.h"

namespace vantage::cli {

// A line for each operator that an accelerator is for: what takes it, with its bound and what binds, or why not.
std::string placement_table(const workload::PreparedNetwork& prepared);
Json placements_json(const workload::PreparedNetwork& prepared);

}  // namespace vantage::cli
