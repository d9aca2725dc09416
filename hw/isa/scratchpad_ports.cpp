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

int least_index_width(const Config& config, Memory memory) {
  if (memory != Memory::kAcc) return log2_ceil(2 * load_lanes(config, memory));
  return log2_ceil(4 * std::max(load_lanes(config, memory), beat_lanes(config, Memory::kOut)));
}

int index_width(const Config& config, Memory memory) {
  return std::max(config.index_bits(memory), least_index_width(config, memory));
}

uint64_t upper_half(const Config& config) {
  return uint64_t{1} << (index_width(config, Memory::kAcc) - 1);
}

}  // namespace vantage::isa
