#include "hw/isa/scratchpad_ports.h"

#include <algorithm>

#include "base/math.h"

namespace vantage::isa {

uint64_t beat_lanes(const Config& config, Memory memory) {
  return std::max<uint64_t>(1, config.bus_width() / config.element_size(memory));
}

uint64_t load_lanes(const Config& config, Memory memory) {
  const uint64_t own = beat_lanes(config, memory);
  return memory == Memory::kAcc ? std::max(own, beat_lanes(config, Memory::kAcc8)) : own;
}

int index_width(const Config& config, Memory memory) {
  uint64_t rows = 2 * load_lanes(config, memory);
  if (memory == Memory::kAcc) rows = 4 * std::max(load_lanes(config, memory), beat_lanes(config, Memory::kOut));
  return std::max(config.index_bits(memory), log2_ceil(rows));
}

}  // namespace vantage::isa
