// Scalar types, of tensors and of the compiler's expressions alike: signed integers of 1 to 64 bits, unsigned ones of
// 8, 16 and 32, bool, IEEE floats of 16, 32 and 64 bits, and bfloat16, a float32's upper half.
//
// Thread safety: values and functions without state.
#pragma once

#include <dlpack/dlpack.h>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace vantage {

class DType {
 public:
  enum class Code : uint8_t { kInt, kUInt, kBool, kFloat, kBFloat, kVoid };

  constexpr DType() = default;
  static constexpr DType integer(int bits) { return {Code::kInt, bits}; }
  static constexpr DType unsigned_integer(int bits) { return {Code::kUInt, bits}; }
  static constexpr DType floating(int bits) { return {Code::kFloat, bits}; }
  static constexpr DType bfloat() { return {Code::kBFloat, 16}; }
  static constexpr DType boolean() { return {Code::kBool, 1}; }
  static constexpr DType nothing() { return {Code::kVoid, 0}; }
  // "int8", "uint8", "float32", "bool". Throws Error for anything else.
  static DType parse(std::string_view name);

  constexpr Code code() const { return code_; }
  constexpr int bits() const { return bits_; }
  constexpr bool is_int() const { return is_signed() || is_unsigned(); }
  constexpr bool is_signed() const { return code_ == Code::kInt; }  // an integer with negative values
  constexpr bool is_unsigned() const { return code_ == Code::kUInt; }
  constexpr bool is_float() const { return code_ == Code::kFloat || code_ == Code::kBFloat; }
  constexpr bool is_narrow_float() const { return is_float() && bits_ == 16; }  // too narrow for long sums
  // Binary digits that a float keeps, and its largest finite value.
  int digits() const;
  double max_float() const;
  constexpr bool is_bool() const { return code_ == Code::kBool; }
  constexpr bool is_void() const { return code_ == Code::kVoid; }

  // Bytes of one element in memory: the bits rounded up to a power of two of at least 8.
  int bytes() const;
  // Smallest and largest value of an integer or bool.
  int64_t min_int() const;
  int64_t max_int() const;
  // Whether `value` is one of an integer's or bool's.
  bool holds(int64_t value) const { return value >= min_int() && value <= max_int(); }

  constexpr auto operator<=>(const DType&) const = default;

 private:
  constexpr DType(Code code, int bits) : code_(code), bits_(static_cast<uint8_t>(bits)) {}

  Code code_ = Code::kInt;
  uint8_t bits_ = 32;
};

std::string name(DType dtype);

inline constexpr DType kInt4 = DType::integer(4);
inline constexpr DType kInt8 = DType::integer(8);
inline constexpr DType kInt16 = DType::integer(16);
inline constexpr DType kInt32 = DType::integer(32);
inline constexpr DType kInt64 = DType::integer(64);
inline constexpr DType kUInt8 = DType::unsigned_integer(8);
inline constexpr DType kUInt16 = DType::unsigned_integer(16);
inline constexpr DType kUInt32 = DType::unsigned_integer(32);
inline constexpr DType kFloat16 = DType::floating(16);
inline constexpr DType kBFloat16 = DType::bfloat();
inline constexpr DType kFloat32 = DType::floating(32);
inline constexpr DType kFloat64 = DType::floating(64);
inline constexpr DType kBool = DType::boolean();
inline constexpr DType kVoid = DType::nothing();

// A scalar at run time: integers and bools sign- or zero-extended in `i`, floats of every width in `f`.
union Scalar {
  int64_t i;
  double f;
};

// The value an integer type keeps of `value`: its low bits, sign- or zero-extended (bool: whether it is not zero).
int64_t wrap(DType dtype, int64_t value);
// The value of a float type nearest to `value`, ties to even.
double round_to(DType dtype, double value);
// The value of a float type nearest to an integer: rounded once, not to a double first.
double nearest(DType dtype, int64_t value);

// Values from one scalar type to another, as the IR's Cast means it. Integer to integer: the low bits. Integer to
// float: the nearest value. Float to integer: cut toward zero, beyond the type's ends the end, NaN 0. Float to float:
// the nearest value. To bool: whether it is not 0 (NaN is not 0). From bool: 0 or 1.
Scalar convert(DType from, DType to, Scalar value);

// As DLPack says it, which compiled functions and device memory are described with. Bool, which DLPack 0.6 has no code
// for, is an unsigned integer of one bit.
DLDataType dl_dtype(DType dtype);
// The inverse. Throws Error for unsigned integers of more bits, for other codes and widths, and for several lanes.
DType dtype_of(DLDataType dtype);

// IEEE binary16: the nearest, ties to even.
uint16_t to_half(double value);
double from_half(uint16_t half);
// The same of bfloat16.
uint16_t to_bfloat16(double value);
double from_bfloat16(uint16_t bits);

}  // namespace vantage
