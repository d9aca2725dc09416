#include "workload/roofline.h"

namespace vantage::workload {

Roofline accelerator_roofline(const isa::Config& config, double clock_mhz, const std::optional<MemoryTiming>& memory) {
  const double per_step = 2.0 * config.batch() * config.block_in() * config.block_out();
  return {per_step * 1e6 * clock_mhz,
          1e9 * memory.value_or(MemoryTiming{}).gbytes_per_s(config.bus_width(), clock_mhz)};
}

}  // namespace vantage::workload
