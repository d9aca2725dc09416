// Elements of tensors and of the interpreter's buffers as bytes.
#pragma once

#include <cstddef>
#include <cstring>

#include "base/tensor/dtype.h"

namespace vantage {

// An element takes dtype.bytes() bytes: signed integers sign-extended to them, bool 0 or 1, float16 as IEEE binary16,
// bfloat16 as the upper half of a float32.
inline Scalar read_element(DType dtype, const std::byte* at) {
  const auto as = [&]<typename T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  if (dtype.is_float()) {
    if (dtype.bits() == 32) return {.f = as(float{})};
    if (dtype.bits() == 64) return {.f = as(double{})};
    return {.f = dtype == kBFloat16 ? from_bfloat16(as(uint16_t{})) : from_half(as(uint16_t{}))};
  }
  if (dtype.is_unsigned()) {
    if (dtype.bits() == 8) return {.i = as(uint8_t{})};
    if (dtype.bits() == 16) return {.i = as(uint16_t{})};
    return {.i = as(uint32_t{})};
  }
  if (dtype.bits() <= 8) return {.i = as(int8_t{})};
  if (dtype.bits() <= 16) return {.i = as(int16_t{})};
  if (dtype.bits() <= 32) return {.i = as(int32_t{})};
  return {.i = as(int64_t{})};
}

inline void write_element(DType dtype, std::byte* at, Scalar value) {
  const auto put = [&](auto stored) { std::memcpy(at, &stored, sizeof stored); };
  if (dtype.is_float()) {
    if (dtype.bits() == 32) return put(static_cast<float>(value.f));
    if (dtype.bits() == 64) return put(value.f);
    return put(dtype == kBFloat16 ? to_bfloat16(value.f) : to_half(value.f));
  }
  if (dtype.bits() <= 8) return put(static_cast<int8_t>(value.i));
  if (dtype.bits() <= 16) return put(static_cast<int16_t>(value.i));
  if (dtype.bits() <= 32) return put(static_cast<int32_t>(value.i));
  put(value.i);
}

}  // namespace vantage
