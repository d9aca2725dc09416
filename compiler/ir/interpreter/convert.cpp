#include "compiler/ir/interpreter/convert.h"

#include <cmath>

namespace vantage::ir {

namespace {

int64_t to_integer(DType dtype, double value) {
  if (std::isnan(value)) return 0;
  const double whole = std::trunc(value);
  // The smallest value is a power of two and so exact; the largest may not be, its successor is.
  const double end = -static_cast<double>(dtype.min_int());
  if (whole >= end) return dtype.max_int();
  if (whole < -end) return dtype.min_int();
  return static_cast<int64_t>(whole);
}

}  // namespace

Scalar convert(DType from, DType to, Scalar value) {
  if (from.is_float()) {
    if (to.is_float()) return {.f = round_to(to, value.f)};
    if (to.is_bool()) return {.i = value.f != 0 ? 1 : 0};
    return {.i = to_integer(to, value.f)};
  }
  if (to.is_float()) return {.f = nearest(to, value.i)};
  return {.i = wrap(to, value.i)};
}

}  // namespace vantage::ir
