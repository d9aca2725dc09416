// How near a network's integers are to its floats, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "workload/quantization_report.h"

namespace vantage::cli {

std::string quantization_table(const std::vector<workload::QuantizedLayer>& layers);
Json quantization_json(const std::vector<workload::QuantizedLayer>& layers);

// How well weights would be said by 8 bits and by 4.
std::string weights_table(const std::vector<workload::WeightAccuracy>& weights);
Json weights_json(const std::vector<workload::WeightAccuracy>& weights);

// The products that stay floats, what each is of all multiplications, and the SNR that the network's first output would
// have if it alone were rounded.
std::string kept_floats_table(const workload::PreparedNetwork& prepared);
Json kept_floats_json(const workload::PreparedNetwork& prepared);

}  // namespace vantage::cli
