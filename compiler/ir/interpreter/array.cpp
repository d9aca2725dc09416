#include "compiler/ir/interpreter/array.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "compiler/ir/interpreter/convert.h"
#include "compiler/ir/interpreter/element.h"

namespace vantage::ir {

namespace {

std::vector<int64_t> index_of(const Array& array, int64_t element) {
  std::vector<int64_t> index(array.shape().size());
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = element % array.shape()[d];
    element /= array.shape()[d];
  }
  return index;
}

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

Array::Array(DType dtype, std::vector<int64_t> shape, std::vector<int64_t> strides)
    : dtype_(dtype), shape_(std::move(shape)), strides_(std::move(strides)) {
  VANTAGE_CHECK(!dtype.is_void() && (strides_.empty() || strides_.size() == shape_.size()));
  const bool given = !strides_.empty();
  if (!given) strides_.resize(shape_.size());
  int64_t last = 0;
  for (size_t d = shape_.size(); d-- > 0;) {
    VANTAGE_CHECK(shape_[d] >= 0);
    if (!given) strides_[d] = size_;
    VANTAGE_CHECK(strides_[d] >= 0);
    dense_ = dense_ && strides_[d] == size_;
    last += (shape_[d] - 1) * strides_[d];
    size_ *= shape_[d];
  }
  bytes_.resize(size_ == 0 ? 0 : static_cast<size_t>(last + 1) * static_cast<size_t>(dtype.bytes()));
}

int64_t Array::element(std::initializer_list<int64_t> index) const {
  VANTAGE_CHECK(index.size() == shape_.size());
  int64_t result = 0;
  size_t d = 0;
  for (int64_t i : index) {
    VANTAGE_CHECK(i >= 0 && i < shape_[d]);
    result = result * shape_[d++] + i;
  }
  return result;
}

size_t Array::offset(int64_t element) const {
  VANTAGE_CHECK(element >= 0 && element < size_);
  int64_t at = element;
  if (!dense_) {
    const auto index = index_of(*this, element);
    at = 0;
    for (size_t d = 0; d < index.size(); ++d) at += index[d] * strides_[d];
  }
  return static_cast<size_t>(at) * static_cast<size_t>(dtype_.bytes());
}

Scalar Array::get(int64_t element) const {
  return read_element(dtype_, bytes_.data() + offset(element));
}

void Array::set(int64_t element, Scalar value) {
  write_element(dtype_, bytes_.data() + offset(element), convert(dtype_, dtype_, value));
}

double Array::number(int64_t element) const {
  return convert(dtype_, kFloat64, get(element)).f;
}
int64_t Array::integer(int64_t element) const {
  return convert(dtype_, kInt64, get(element)).i;
}
void Array::set_number(int64_t element, double value) {
  set(element, convert(kFloat64, dtype_, {.f = value}));
}
void Array::set_integer(int64_t element, int64_t value) {
  set(element, convert(kInt64, dtype_, {.i = value}));
}

void Array::fill(std::mt19937_64& random) {
  for (int64_t e = 0; e < size_; ++e) {
    const uint64_t bits = random();
    if (dtype_.is_float()) {
      set_number(e, std::ldexp(static_cast<double>(bits >> 11), -52) - 1);
    } else {
      set_integer(e, static_cast<int64_t>(dtype_.is_bool() ? bits & 1 : bits));
    }
  }
}

void Array::fill(std::mt19937_64& random, int64_t min, int64_t max) {
  VANTAGE_CHECK(min <= max);
  const uint64_t count = static_cast<uint64_t>(max) - static_cast<uint64_t>(min) + 1;  // 0: all of them
  for (int64_t e = 0; e < size_; ++e) {
    const uint64_t step = count == 0 ? random() : random() % count;
    set_integer(e, static_cast<int64_t>(static_cast<uint64_t>(min) + step));
  }
}

std::string describe(const Array& array) {
  return fmt::format("{}[{}]", name(array.dtype()), fmt::join(array.shape(), ", "));
}

std::optional<std::string> difference(const Array& expected, const Array& got, Tolerance tolerance) {
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
                     value_text(expected.dtype(), expected.get(first)), fmt::join(index_of(expected, first), ", "),
                     value_text(got.dtype(), got.get(first)), count, expected.size());
}

}  // namespace vantage::ir
