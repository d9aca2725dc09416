// What cores take of a part: as a table, as JSON, and as the errors of those that do not fit.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "hw/fpga/part.h"
#include "hw/fpga/synthesis.h"

namespace vantage::cli {

struct PartUse {
  std::string given;  // as the user named the core's configuration
  fpga::Resources used;
};

// A `!` marks what the part does not have. `by` says whose counts these are.
std::string part_table(const std::vector<PartUse>& cores, const fpga::Part& part, const std::string& by);

// By key, as {"luts": 53200, ...}.
Json available_json(const fpga::Part& part);
Json used_json(const fpga::Resources& used);

// A line for each resource that the part has too little of.
std::vector<std::string> shortages(const PartUse& core, const fpga::Part& part);

}  // namespace vantage::cli
