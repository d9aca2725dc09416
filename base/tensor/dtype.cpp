#include "base/tensor/dtype.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"

namespace vantage {

namespace {

int64_t to_integer(DType dtype, double value) {
  if (std::isnan(value)) return 0;
  const double whole = std::trunc(value);
  // The smallest value is 0 or a power of two and so exact; the largest may not be, its successor is.
  const double begin = static_cast<double>(dtype.min_int());
  const double end = std::ldexp(1.0, dtype.is_unsigned() ? dtype.bits() : dtype.bits() - 1);
  if (whole >= end) return dtype.max_int();
  if (whole < begin) return dtype.min_int();
  return static_cast<int64_t>(whole);
}

}  // namespace

DType DType::parse(std::string_view text) {
  if (text == "bool") return boolean();
  for (int bits : {16, 32, 64}) {
    if (text == name(floating(bits))) return floating(bits);
  }
  for (int bits = 1; bits <= 64; ++bits) {
    if (text == name(integer(bits))) return integer(bits);
  }
  for (const DType dtype : {kUInt8, kUInt16, kUInt32}) {
    if (text == name(dtype)) return dtype;
  }
  fail("'{}' is no type; expected int1 to int64, uint8, uint16, uint32, float16, float32, float64 or bool", text);
}

int DType::bytes() const {
  if (bits_ <= 8) return 1;
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(bits_))) / 8;
}

int64_t DType::min_int() const {
  if (!is_signed()) return 0;
  return static_cast<int64_t>(~uint64_t{0} << (bits_ - 1));
}

int64_t DType::max_int() const {
  if (is_unsigned()) return (int64_t{1} << bits_) - 1;
  if (!is_int()) return 1;
  return ~min_int();
}

std::string name(DType dtype) {
  switch (dtype.code()) {
    case DType::Code::kInt: return fmt::format("int{}", dtype.bits());
    case DType::Code::kUInt: return fmt::format("uint{}", dtype.bits());
    case DType::Code::kFloat: return fmt::format("float{}", dtype.bits());
    case DType::Code::kBool: return "bool";
    case DType::Code::kVoid: return "void";
  }
  return {};
}

int64_t wrap(DType dtype, int64_t value) {
  if (dtype.is_bool()) return value != 0 ? 1 : 0;
  const int unused = 64 - dtype.bits();
  if (dtype.is_unsigned()) return static_cast<int64_t>(static_cast<uint64_t>(value) << unused >> unused);
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

double round_to(DType dtype, double value) {
  if (dtype.bits() == 64) return value;
  if (dtype.bits() == 32) return static_cast<double>(static_cast<float>(value));
  return from_half(to_half(value));
}

double nearest(DType dtype, int64_t value) {
  if (dtype.bits() == 32) return static_cast<double>(static_cast<float>(value));
  // What a double does not hold is beyond the largest binary16.
  return round_to(dtype, static_cast<double>(value));
}

Scalar convert(DType from, DType to, Scalar value) {
  if (from.is_float()) {
    if (to.is_float()) return {.f = round_to(to, value.f)};
    if (to.is_bool()) return {.i = value.f != 0 ? 1 : 0};
    return {.i = to_integer(to, value.f)};
  }
  if (to.is_float()) return {.f = nearest(to, value.i)};
  return {.i = wrap(to, value.i)};
}

DLDataType dl_dtype(DType dtype) {
  if (dtype.is_bool()) return {kDLUInt, 1, 1};
  const auto code = dtype.is_float() ? kDLFloat : dtype.is_unsigned() ? kDLUInt : kDLInt;
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(dtype.bits()), 1};
}

DType dtype_of(DLDataType dtype) {
  const int bits = dtype.bits;
  if (dtype.lanes == 1) {
    if (dtype.code == kDLUInt && bits == 1) return DType::boolean();
    if (dtype.code == kDLUInt && (bits == 8 || bits == 16 || bits == 32)) return DType::unsigned_integer(bits);
    if (dtype.code == kDLInt && bits >= 1 && bits <= 64) return DType::integer(bits);
    if (dtype.code == kDLFloat && (bits == 16 || bits == 32 || bits == 64)) return DType::floating(bits);
  }
  fail(
      "a tensor's type has the code {}, {} bits and {} lanes of DLPack; expected integers of up to 64 bits, unsigned "
      "ones of 8, 16 or 32, floats or bool",
      dtype.code, bits, dtype.lanes);
}

// 1 sign, 5 exponent (bias 15) and 10 fraction bits; exponents below -14 are subnormal, in steps of 2^-24.
uint16_t to_half(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7e00);
  const double magnitude = std::abs(value);
  if (magnitude >= 65520.0) return static_cast<uint16_t>(sign | 0x7c00);  // the middle of the largest and the next step
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude in [2^(exponent-1), 2^exponent)
  const int step = std::max(exponent - 11, -24);
  const auto steps = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, -step)));  // at most 2^11
  // Subnormals and the steps of every normal exponent follow one another, so a carry runs into the exponent by itself.
  return static_cast<uint16_t>(sign | (static_cast<uint32_t>(step + 24) * 1024 + steps));
}

double from_half(uint16_t half) {
  const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = (half >> 10) & 31;
  const int fraction = half & 1023;
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

}  // namespace vantage
