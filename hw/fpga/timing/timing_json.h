// What static timing found, as JSON: in the cache, and for people's programs (docs/json.md).
//
// Thread safety: functions without state.
#pragma once

#include "base/json_object.h"
#include "hw/fpga/timing/static_timing.h"

namespace vantage::fpga {

Json to_json(const Timing& timing);
// Throws Error naming the key, the value and what would be right.
Timing timing_from_json(const JsonObject& object);

}  // namespace vantage::fpga
