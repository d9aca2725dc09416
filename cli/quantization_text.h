// How near a network's integers are to its floats, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "workload/quantization_report.h"

namespace vantage::cli {

std::string quantization_table(const std::vector<workload::QuantizedLayer>& layers);
Json quantization_json(const std::vector<workload::QuantizedLayer>& layers);

}  // namespace vantage::cli
