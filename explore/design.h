// A design: an accelerator and the memory that it works with.
//
// Thread safety: values and functions without state.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::explore {

struct Design {
  isa::Config config;
  MemoryTiming memory;  // in cycles of the configuration's clock
};

// What of a design a program's cycles and counters depend on, as text: neither the clock, nor names, nor where it runs.
std::string core_of(const Design& design);

// The same design with as much room in its scratchpads as micro-ops can name.
Design with_room(const Design& design);

// {"config": {...}, "memory": {...}}. Reading throws Error, naming `source` and the key.
Json to_json(const Design& design);
Design parse_design(const Json& json, const std::string& source);

}  // namespace vantage::explore
