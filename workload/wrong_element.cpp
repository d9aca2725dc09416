#include "workload/wrong_element.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace vantage::workload {

namespace {

constexpr int kLookedAt = 512;

// Integers are exact. Sums lose a few of a float's 24 digits, and those of 16 bits are rounded once more.
double tolerance(DType type, double expected) {
  if (!type.is_float()) return 0;
  return 0x1p-10 + (type.is_narrow_float() ? std::ldexp(std::abs(expected), 1 - type.digits()) : 0);
}

}  // namespace

std::optional<std::string> wrong_element(const Tensor& results, const std::function<double(int64_t)>& expected) {
  std::mt19937_64 random(7);
  for (int i = 0; i < kLookedAt; ++i) {
    const auto element = static_cast<int64_t>(random() % static_cast<uint64_t>(results.size()));
    const double wanted = expected(element), got = results.number(element);
    // What is no number is wrong.
    if (std::abs(got - wanted) <= tolerance(results.dtype(), wanted)) continue;
    return fmt::format("element {} is {}, expected {}", element, got, wanted);
  }
  return std::nullopt;
}

}  // namespace vantage::workload
