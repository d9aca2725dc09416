// Floats of 16 bits, IEEE binary16 and bfloat16: every operation is one of float, and rounded.
#pragma once

namespace vt {

#ifdef __CUDA_ARCH__
VT_DEVICE unsigned short half_bits(float value) {
  unsigned short result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
}
VT_DEVICE unsigned short half_bits(double value) {
  unsigned short result;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(result) : "d"(value));
  return result;
}
VT_DEVICE float half_value(unsigned short bits) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
  return result;
}
#else
VT_DEVICE unsigned short half_bits(double value) {
  return __builtin_bit_cast(unsigned short, static_cast<_Float16>(value));
}
VT_DEVICE unsigned short half_bits(float value) {
  return __builtin_bit_cast(unsigned short, static_cast<_Float16>(value));
}
VT_DEVICE float half_value(unsigned short bits) {
  return static_cast<float>(__builtin_bit_cast(_Float16, bits));
}
#endif

// bfloat16 is the upper half of a float.
VT_DEVICE unsigned float_bits(float value) {
#ifdef __CUDA_ARCH__
  return __float_as_uint(value);
#else
  return __builtin_bit_cast(unsigned, value);
#endif
}
// By its bits: numbers that have no literal.
VT_DEVICE float float_of(unsigned bits) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  return __builtin_bit_cast(float, bits);
#endif
}
VT_DEVICE unsigned short bfloat16_bits(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
#else
  const unsigned bits = float_bits(value);
  // What is no number stays none; else half of the last place that is kept is added, or just less where that is even.
  return static_cast<unsigned short>((value != value ? bits | 0x400000U : bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
#endif
}
// By way of a float with a trace of what was cut off, an odd last digit, so that it is as if rounded once.
VT_DEVICE unsigned short bfloat16_bits(double value) {
  const float nearest = static_cast<float>(value);
  unsigned bits = float_bits(nearest);
  if (double(nearest) != value) bits = (::fabs(double(nearest)) > ::fabs(value) ? bits - 1U : bits) | 1U;
  return bfloat16_bits(value != value ? nearest : float_of(bits));
}
// The same from an integer to double.
VT_DEVICE double odd_double(long long value) {
  constexpr long long exact = 1LL << 53, rest = (1LL << 11) - 1;
  if (value >= -exact && value <= exact) return double(value);
  return double((value & ~rest) | ((value & rest) != 0 ? rest + 1 : 0));
}

// `Format` says how it is encoded.
template <typename Format>
struct narrow_float {
  unsigned short bits;
  narrow_float() = default;
  VT_DEVICE explicit narrow_float(float value) : bits(Format::encode(value)) {}
  VT_DEVICE explicit narrow_float(double value) : bits(Format::encode(value)) {}
  VT_DEVICE explicit narrow_float(int value) : narrow_float(double(value)) {}
  VT_DEVICE explicit narrow_float(unsigned value) : narrow_float(double(value)) {}
  VT_DEVICE explicit narrow_float(long long value) : narrow_float(odd_double(value)) {}
  VT_DEVICE operator float() const { return Format::decode(bits); }
};
struct binary16 {
  template <typename T>
  static VT_DEVICE unsigned short encode(T value) {
    return half_bits(value);
  }
  static VT_DEVICE float decode(unsigned short bits) { return half_value(bits); }
};
struct brain16 {
  template <typename T>
  static VT_DEVICE unsigned short encode(T value) {
    return bfloat16_bits(value);
  }
  static VT_DEVICE float decode(unsigned short bits) { return float_of(unsigned(bits) << 16); }
};
using half = narrow_float<binary16>;
using bfloat16 = narrow_float<brain16>;

// Rounded twice, by way of float, these are as if rounded once: a float has more than twice the digits.
template <typename F>
VT_DEVICE narrow_float<F> operator+(narrow_float<F> a, narrow_float<F> b) {
  return narrow_float<F>(float(a) + float(b));
}
template <typename F>
VT_DEVICE narrow_float<F> operator-(narrow_float<F> a, narrow_float<F> b) {
  return narrow_float<F>(float(a) - float(b));
}
template <typename F>
VT_DEVICE narrow_float<F> operator*(narrow_float<F> a, narrow_float<F> b) {
  return narrow_float<F>(float(a) * float(b));
}
template <typename F>
VT_DEVICE narrow_float<F> operator/(narrow_float<F> a, narrow_float<F> b) {
  return narrow_float<F>(float(a) / float(b));
}

}  // namespace vt
