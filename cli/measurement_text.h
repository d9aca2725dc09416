// Measurements of a comparison as text.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "workload/measure.h"

namespace vantage::cli {

std::string table(const std::vector<workload::Measurement>& rows);
// What those whose energy is known have spent, by parts; empty where none is.
std::string energy_table(const std::vector<workload::Measurement>& rows, const std::string& technology);
// `technology`: what energies are by; empty: nobody asked for them.
Json to_json(const std::vector<workload::Measurement>& rows, const std::string& technology = {});
std::string csv(const std::vector<workload::Measurement>& rows, const std::string& technology = {});

}  // namespace vantage::cli
