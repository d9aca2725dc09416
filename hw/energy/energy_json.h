// The energy of a run as JSON (docs/json.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json_fwd.h"
#include "hw/core/activity.h"
#include "hw/energy/energy.h"

namespace vantage::energy {

// {"technology": "45nm", "unit": "pJ", "parts": [{"name": "dram", "value": 1.5}, ...], "total": 3.5} and, where there
// is time, "watts", "edp" in joule-seconds, and "tops_per_watt" of the useful operations, where these are known. The
// part `static` is left out where there is no time.
Json to_json(const std::string& technology, const Energy& energy, std::optional<uint64_t> useful_operations);

// {"insns": 1, "uop_reads": 2, ...}
Json to_json(const core::Activity& activity);

}  // namespace vantage::energy
