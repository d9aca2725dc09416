#include "compiler/backend/cuda/peak.h"

#include <algorithm>
#include <array>

namespace vantage::cuda {

namespace {

struct Rates {
  int capability;
  int64_t float32, float16, bfloat16, int8;  // 0: not known

  int64_t of(DType operand) const {
    if (operand == kFloat32) return float32;
    if (operand == kFloat16) return float16;
    if (operand == kBFloat16) return bfloat16;
    return operand == kInt8 ? int8 : 0;
  }
};

constexpr std::array kRates = {
    Rates{75, 64, 512, 0, 1024},    Rates{80, 64, 1024, 1024, 2048},  Rates{86, 128, 512, 512, 1024},
    Rates{89, 128, 512, 512, 1024}, Rates{90, 128, 2048, 2048, 4096}, Rates{100, 128, 0, 0, 0},
    Rates{120, 128, 0, 0, 0},
};

}  // namespace

std::optional<int64_t> products_per_clock(int capability, DType operand) {
  const auto* known = std::ranges::find(kRates, capability, &Rates::capability);
  if (known == kRates.end() || known->of(operand) == 0) return std::nullopt;
  return known->of(operand);
}

}  // namespace vantage::cuda
