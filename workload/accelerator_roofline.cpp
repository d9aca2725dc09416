#include "workload/roofline.h"

namespace vantage::workload {

Roofline accelerator_roofline(const isa::Config& config, const std::optional<MemoryTiming>& memory) {
  const double clock = 1e6 * config.clock_mhz();
  const double per_step = 2.0 * config.batch() * config.block_in() * config.block_out();
  return {per_step * clock, 1e9 * memory.value_or(MemoryTiming{}).gbytes_per_s(config.bus_width(), config.clock_mhz())};
}

}  // namespace vantage::workload
