// A configuration and what follows from it, for people.
//
// Thread safety: a function without state.
#pragma once

#include "base/json_fwd.h"
#include "hw/isa/config.h"

namespace vantage::report {

// At this clock. An array of groups, {"name": "Scratchpads", "rows": [{"name", "value", "note"}]}: values with their
// units, as text.
Json config_table(const isa::Config& config, double clock_mhz);

}  // namespace vantage::report
