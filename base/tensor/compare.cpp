#include "base/tensor/compare.h"

#include <fmt/ranges.h>

#include <cmath>

namespace vantage {

namespace {

bool agree(DType dtype, Scalar expected, Scalar got, Tolerance tolerance) {
  if (!dtype.is_float() && expected.i == got.i) return true;
  const double e = convert(dtype, kFloat64, expected).f;
  const double g = convert(dtype, kFloat64, got).f;
  if (dtype.is_float() && (e == g || (std::isnan(e) && std::isnan(g)))) return true;
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(e);
  // Different int64 may be one double, so no tolerance must mean that.
  return allowed > 0 && std::isfinite(e) && std::abs(e - g) <= allowed;
}

std::string value_text(DType dtype, Scalar value) {
  return dtype.is_float() ? fmt::format("{}", value.f) : fmt::format("{}", value.i);
}

}  // namespace

std::optional<std::string> difference(const Tensor& expected, const Tensor& got, Tolerance tolerance) {
  if (expected.dtype() != got.dtype() || expected.shape() != got.shape()) {
    return fmt::format("expected {}, got {}", describe(expected), describe(got));
  }
  int64_t first = -1;
  int64_t count = 0;
  for (int64_t e = 0; e < expected.size(); ++e) {
    if (agree(expected.dtype(), expected.get(e), got.get(e), tolerance)) continue;
    if (count++ == 0) first = e;
  }
  if (count == 0) return std::nullopt;
  return fmt::format("expected {} at [{}], got {}; {} of {} elements differ",
                     value_text(expected.dtype(), expected.get(first)), fmt::join(expected.index_of(first), ", "),
                     value_text(got.dtype(), got.get(first)), count, expected.size());
}

}  // namespace vantage
