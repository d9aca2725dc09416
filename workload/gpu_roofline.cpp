#include "workload/gpu_roofline.h"

#include "compiler/backend/cuda/peak.h"

namespace vantage::workload {

std::optional<Roofline> gpu_roofline(const driver::GpuInfo& info, DType dtype) {
  const auto per_clock = cuda::products_per_clock(info.capability, dtype);
  if (!per_clock) return std::nullopt;
  if (info.clock_khz == 0 || info.memory_clock_khz == 0 || info.memory_bus_bits == 0) return std::nullopt;
  const double products = 1e3 * info.clock_khz * info.multiprocessors * static_cast<double>(*per_clock);
  // Twice in a clock of the memory.
  const double bits = 2e3 * info.memory_clock_khz * info.memory_bus_bits;
  return Roofline{2 * products, bits / 8};
}

}  // namespace vantage::workload
