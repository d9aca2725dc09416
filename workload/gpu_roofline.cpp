#include "workload/gpu_roofline.h"

#include <algorithm>
#include <array>

namespace vantage::workload {

namespace {

// How many products are added to sums in a clock by a multiprocessor of this compute capability; 0: not known.
struct Products {
  int capability;
  int float32, float16, bfloat16, int8;

  int of(DType dtype) const {
    if (dtype == kFloat32) return float32;
    if (dtype == kFloat16) return float16;
    if (dtype == kBFloat16) return bfloat16;
    return dtype == kInt8 ? int8 : 0;
  }
};

constexpr std::array kProducts = {
    Products{75, 64, 512, 0, 1024},    Products{80, 64, 1024, 1024, 2048},  Products{86, 128, 512, 512, 1024},
    Products{89, 128, 512, 512, 1024}, Products{90, 128, 2048, 2048, 4096}, Products{100, 128, 0, 0, 0},
    Products{120, 128, 0, 0, 0},
};

}  // namespace

std::optional<Roofline> gpu_roofline(const driver::GpuInfo& info, DType dtype) {
  const auto known = std::find_if(kProducts.begin(), kProducts.end(),
                                  [&](const Products& p) { return p.capability == info.capability; });
  if (known == kProducts.end() || known->of(dtype) == 0) return std::nullopt;
  if (info.clock_khz == 0 || info.memory_clock_khz == 0 || info.memory_bus_bits == 0) return std::nullopt;
  const double products = 1e3 * info.clock_khz * info.multiprocessors * known->of(dtype);
  // Twice in a clock of the memory.
  const double bits = 2e3 * info.memory_clock_khz * info.memory_bus_bits;
  return Roofline{2 * products, bits / 8};
}

}  // namespace vantage::workload
