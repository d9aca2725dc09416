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

// Floats of 16 bits: a sign, an exponent, and a fraction behind it.
struct NarrowFormat {
  int exponent_bits, fraction_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  // Of subnormals, by its power of two.
  constexpr int least_step() const { return 1 - bias() - fraction_bits; }
  constexpr uint16_t infinity() const { return static_cast<uint16_t>(((1U << exponent_bits) - 1) << fraction_bits); }
};
constexpr NarrowFormat kBinary16 = {5, 10}, kBrain16 = {8, 7};

// Of a normal double: ldexp() takes many times as long.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

uint16_t to_narrow(NarrowFormat format, double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | format.infinity() | 1U << (format.fraction_bits - 1));
  const double magnitude = std::abs(value);
  if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | format.infinity());
  if (magnitude == 0) return sign;
  // The magnitude lies in [2^exponent, 2^(exponent+1)), or is far less than a step.
  const int exponent = static_cast<int>(std::bit_cast<uint64_t>(magnitude) >> 52) - 1023;
  const int least = format.least_step(), step = std::max(exponent - format.fraction_bits, least);
  const auto steps = static_cast<uint32_t>(std::nearbyint(magnitude * power_of_two(-step)));
  // Subnormals, the steps of every normal exponent and infinity follow one another, so a carry runs into the exponent
  // by itself.
  const uint32_t bits = (static_cast<uint32_t>(step - least) << format.fraction_bits) + steps;
  return static_cast<uint16_t>(sign | std::min<uint32_t>(bits, format.infinity()));
}

double from_narrow(NarrowFormat format, uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int all = bits & 0x7fff, one = 1 << format.fraction_bits;
  const int exponent = all >> format.fraction_bits, fraction = all & (one - 1);
  if (all > format.infinity()) return std::nan("");
  if (all == format.infinity()) return sign * INFINITY;
  if (exponent == 0) return sign * fraction * power_of_two(format.least_step());
  return sign * (one + fraction) * power_of_two(exponent - 1 + format.least_step());
}

// A double from which any narrower float is rounded as from the integer itself: where it is not exact its last digit
// is odd, so that it is not in the middle of two others.
double odd_double(int64_t value) {
  constexpr int64_t kExact = int64_t{1} << 53, kRest = (1 << 11) - 1;
  if (value >= -kExact && value <= kExact) return static_cast<double>(value);
  return static_cast<double>((value & ~kRest) | ((value & kRest) != 0 ? kRest + 1 : 0));
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
  for (const DType dtype : {kUInt8, kUInt16, kUInt32, kBFloat16}) {
    if (text == name(dtype)) return dtype;
  }
  fail("'{}' is no type; expected int1 to int64, uint8, uint16, uint32, float16, bfloat16, float32, float64 or bool",
       text);
}

int DType::bytes() const {
  if (bits_ <= 8) return 1;
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(bits_))) / 8;
}

int DType::digits() const {
  if (*this == kBFloat16) return 8;
  return bits_ == 16 ? 11 : bits_ == 32 ? 24 : 53;
}

double DType::max_float() const {
  // All digits are ones. The greatest exponent is that of float32, but in float16 and float64.
  const int exponent = *this == kFloat16 ? 16 : *this == kFloat64 ? 1024 : 128;
  return std::ldexp(1 - std::ldexp(1.0, -digits()), exponent);
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
    case DType::Code::kBFloat: return fmt::format("bfloat{}", dtype.bits());
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
  return dtype == kBFloat16 ? from_bfloat16(to_bfloat16(value)) : from_half(to_half(value));
}

double nearest(DType dtype, int64_t value) {
  if (dtype.bits() == 32) return static_cast<double>(static_cast<float>(value));
  return dtype.bits() == 64 ? static_cast<double>(value) : round_to(dtype, odd_double(value));
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
  const auto code = dtype == kBFloat16    ? kDLBfloat
                    : dtype.is_float()    ? kDLFloat
                    : dtype.is_unsigned() ? kDLUInt
                                          : kDLInt;
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(dtype.bits()), 1};
}

DType dtype_of(DLDataType dtype) {
  const int bits = dtype.bits;
  if (dtype.lanes == 1) {
    if (dtype.code == kDLUInt && bits == 1) return DType::boolean();
    if (dtype.code == kDLUInt && (bits == 8 || bits == 16 || bits == 32)) return DType::unsigned_integer(bits);
    if (dtype.code == kDLInt && bits >= 1 && bits <= 64) return DType::integer(bits);
    if (dtype.code == kDLBfloat && bits == 16) return DType::bfloat();
    if (dtype.code == kDLFloat && (bits == 16 || bits == 32 || bits == 64)) return DType::floating(bits);
  }
  fail(
      "a tensor's type has the code {}, {} bits and {} lanes of DLPack; expected integers of up to 64 bits, unsigned "
      "ones of 8, 16 or 32, floats or bool",
      dtype.code, bits, dtype.lanes);
}

uint16_t to_half(double value) {
  return to_narrow(kBinary16, value);
}

double from_half(uint16_t half) {
  return from_narrow(kBinary16, half);
}

uint16_t to_bfloat16(double value) {
  return to_narrow(kBrain16, value);
}

double from_bfloat16(uint16_t bits) {
  return from_narrow(kBrain16, bits);
}

}  // namespace vantage
