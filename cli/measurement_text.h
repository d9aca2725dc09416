// Measurements of a comparison as text.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "workload/measure.h"

namespace vantage::cli {

std::string table(const std::vector<workload::Measurement>& rows);
Json to_json(const std::vector<workload::Measurement>& rows);
std::string csv(const std::vector<workload::Measurement>& rows);

}  // namespace vantage::cli
