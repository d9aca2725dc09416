// How wide the scratchpads' ports are: what the RTL's package says of them, and what estimates of a core's size count.
#pragma once

#include <cstdint>

#include "hw/isa/config.h"

namespace vantage::isa {

// Whole elements of `memory` in a beat of the bus, at least 1.
uint64_t beat_lanes(const Config& config, Memory memory);

// Elements of the scratchpad behind `memory` that a load writes at once.
uint64_t load_lanes(const Config& config, Memory memory);

// Bits of an index into a scratchpad: enough for its depth, and for two rows of the elements that are read or written
// at once; in the accumulator scratchpad for two halves of that.
int index_width(const Config& config, Memory memory);
// What it is at least, however small the scratchpad.
int least_index_width(const Config& config, Memory memory);

// The accumulators from this index on are the upper half, those before it the lower one: the top bit of the index tells
// them apart. Where the scratchpad has fewer than four rows of lanes, this is more than half its depth, and may be all
// of it.
uint64_t upper_half(const Config& config);

}  // namespace vantage::isa
