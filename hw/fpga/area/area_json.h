// An estimate of a core's size as JSON: what it is made of.
#pragma once

#include "base/json_fwd.h"
#include "hw/fpga/area/area_model.h"

namespace vantage::fpga {

// {"covered": true, "terms": {"core": 1, ...}, "counted": {"luts": 1, ...}}; "beyond" says what is not covered.
Json estimate_json(const AreaModel& model, const isa::Config& config);

}  // namespace vantage::fpga
