// What the kernels that Vantage writes use beside the language itself: the tensor IR's arithmetic where C++ would do
// something else or nothing defined, 16-bit floats, and several elements moved at once. It needs none of CUDA's own
// headers. Where __CUDA_ARCH__ is not defined all of it is plain C++, for those who run kernels on a processor; they
// define VT_DEVICE and include <cmath> before.
#pragma once

#ifdef __CUDA_ARCH__
#define VT_DEVICE __device__ __forceinline__
#endif

namespace vt {

// --- Several elements, moved at once.

template <typename T, int n>
struct alignas(n * sizeof(T)) lanes {
  T elements[n];
  VT_DEVICE T& operator[](int i) { return elements[i]; }
  VT_DEVICE const T& operator[](int i) const { return elements[i]; }
};
// The address must be a multiple of their size.
template <int n, typename T>
VT_DEVICE lanes<T, n> load(const T* address) {
  return *reinterpret_cast<const lanes<T, n>*>(address);
}
template <typename T, int n>
VT_DEVICE void store(T* address, const lanes<T, n>& values) {
  *reinterpret_cast<lanes<T, n>*>(address) = values;
}

#ifdef __CUDA_ARCH__
// Copies to shared memory that run beside the thread: 4, 8 or 16 bytes, zeros where `holds` does not. What was begun
// since the last commit_copies is one group; wait_copies waits until no more than so many groups are under way, of this
// thread's. Before capability 8.0 a copy is made at once. Those who run kernels on a processor bring their own.
template <int bytes>
VT_DEVICE void copy_async(void* to, const void* from, bool holds = true) {
#if __CUDA_ARCH__ >= 800
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const int given = holds ? bytes : 0;
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(given) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(from), "n"(bytes), "r"(given)
                 : "memory");
  }
#else
  using whole = lanes<unsigned, bytes / 4>;
  *static_cast<whole*>(to) = holds ? *static_cast<const whole*>(from) : whole{};
#endif
}
VT_DEVICE void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int groups>
VT_DEVICE void wait_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}
#endif

// --- Integers wrap at their type.

template <int bytes>
struct bits_of {
  using type = unsigned;
};
template <>
struct bits_of<8> {
  using type = unsigned long long;
};
// Sums and products are those of at least 32 bits without a sign, of which a type keeps its own.
template <typename T>
using bits = typename bits_of<sizeof(T)>::type;

template <typename T>
VT_DEVICE T add(T a, T b) {
  return T(bits<T>(a) + bits<T>(b));
}
template <typename T>
VT_DEVICE T sub(T a, T b) {
  return T(bits<T>(a) - bits<T>(b));
}
template <typename T>
VT_DEVICE T mul(T a, T b) {
  return T(bits<T>(a) * bits<T>(b));
}
// The low bits of a type that C++ has none for, with their sign.
template <int width, typename T>
VT_DEVICE T keep(T value) {
  constexpr int rest = 8 * int(sizeof(T)) - width;
  return T(T(bits<T>(value) << rest) >> rest);
}

// By 0 there is 0, and the smallest number by -1 wraps.
template <typename T>
VT_DEVICE T trunc_div(T a, T b) {
  if (b == T(0)) return T(0);
  if (T(-1) < T(0) && b == T(-1)) return sub(T(0), a);
  return T(a / b);
}
template <typename T>
VT_DEVICE T trunc_mod(T a, T b) {
  if (b == T(0) || (T(-1) < T(0) && b == T(-1))) return T(0);
  return T(a % b);
}
template <typename T>
VT_DEVICE T floor_mod(T a, T b) {
  const T rest = trunc_mod(a, b);
  return rest != T(0) && (rest < T(0)) != (b < T(0)) ? T(rest + b) : rest;
}
template <typename T>
VT_DEVICE T floor_div(T a, T b) {
  const T rest = trunc_mod(a, b), quotient = trunc_div(a, b);
  return rest != T(0) && (rest < T(0)) != (b < T(0)) ? T(quotient - 1) : quotient;
}

// A negative amount shifts the other way, the width or more shifts all out.
template <typename T>
VT_DEVICE T shift_right(T a, T by);
template <typename T>
VT_DEVICE T shift_left(T a, T by) {
  if (by < T(0)) return by == T(bits<T>(1) << (8 * sizeof(T) - 1)) ? T(a < T(0) ? -1 : 0) : shift_right(a, T(-by));
  return by >= T(8 * sizeof(T)) ? T(0) : T(bits<T>(a) << by);
}
template <typename T>
VT_DEVICE T shift_right(T a, T by) {
  if (by < T(0)) return by <= T(-int(8 * sizeof(T))) ? T(0) : T(bits<T>(a) << T(-by));
  return by >= T(8 * sizeof(T)) ? T(a < T(0) ? -1 : 0) : T(a >> by);
}

// What is not a number wins, whichever side it is on.
template <typename T>
VT_DEVICE T minimum(T a, T b) {
  return b < a || b != b ? b : a;
}
template <typename T>
VT_DEVICE T maximum(T a, T b) {
  return a < b || b != b ? b : a;
}

// --- From floats to integers: cut toward zero, beyond the ends the end, and 0 for what is no number.

template <typename Integer, typename Float>
VT_DEVICE Integer saturate(Float value) {
  constexpr bool has_sign = Integer(-1) < Integer(0);
  constexpr bits<Integer> half_way = bits<Integer>(1) << (8 * sizeof(Integer) - 1);
  constexpr Integer most = has_sign ? Integer(half_way - 1) : Integer(-1);
  constexpr Integer least = has_sign ? Integer(-most - 1) : Integer(0);
  if (value != value) return 0;
  if (value <= Float(least)) return least;
  return value >= Float(most) ? most : Integer(value);
}

}  // namespace vt

#include "narrow_floats.cuh"

namespace vt {

// --- Functions of floats.

#define VT_UNARY(name)                                \
  VT_DEVICE float name(float x) {                     \
    return ::name##f(x);                              \
  }                                                   \
  VT_DEVICE double name(double x) {                   \
    return ::name(x);                                 \
  }                                                   \
  template <typename F>                               \
  VT_DEVICE narrow_float<F> name(narrow_float<F> x) { \
    return narrow_float<F>(::name##f(float(x)));      \
  }
#define VT_BINARY(name)                                                  \
  VT_DEVICE float name(float x, float y) {                               \
    return ::name##f(x, y);                                              \
  }                                                                      \
  VT_DEVICE double name(double x, double y) {                            \
    return ::name(x, y);                                                 \
  }                                                                      \
  template <typename F>                                                  \
  VT_DEVICE narrow_float<F> name(narrow_float<F> x, narrow_float<F> y) { \
    return narrow_float<F>(::name##f(float(x), float(y)));               \
  }
VT_UNARY(acos)
VT_UNARY(acosh)
VT_UNARY(asin)
VT_UNARY(asinh)
VT_UNARY(atan)
VT_BINARY(atan2)
VT_UNARY(atanh)
VT_UNARY(ceil)
VT_UNARY(cos)
VT_UNARY(cosh)
VT_UNARY(erf)
VT_UNARY(exp)
VT_UNARY(exp2)
VT_UNARY(floor)
VT_BINARY(fmod)
VT_UNARY(log)
VT_UNARY(log1p)
VT_UNARY(log2)
VT_UNARY(log10)
VT_BINARY(pow)
VT_UNARY(sin)
VT_UNARY(sinh)
VT_UNARY(sqrt)
VT_UNARY(tan)
VT_UNARY(tanh)
VT_UNARY(trunc)
#undef VT_UNARY
#undef VT_BINARY

// To the nearest whole number, ties to even.
VT_DEVICE float round(float x) {
  return ::rintf(x);
}
VT_DEVICE double round(double x) {
  return ::rint(x);
}
template <typename F>
VT_DEVICE narrow_float<F> round(narrow_float<F> x) {
  return narrow_float<F>(::rintf(float(x)));
}
VT_DEVICE float rsqrt(float x) {
  return 1.0F / ::sqrtf(x);
}
VT_DEVICE double rsqrt(double x) {
  return 1.0 / ::sqrt(x);
}
template <typename F>
VT_DEVICE narrow_float<F> rsqrt(narrow_float<F> x) {
  return narrow_float<F>(1.0F / ::sqrtf(float(x)));
}
VT_DEVICE float sigmoid(float x) {
  return 1.0F / (1.0F + ::expf(-x));
}
VT_DEVICE double sigmoid(double x) {
  return 1.0 / (1.0 + ::exp(-x));
}
template <typename F>
VT_DEVICE narrow_float<F> sigmoid(narrow_float<F> x) {
  return narrow_float<F>(sigmoid(float(x)));
}
template <typename T>
VT_DEVICE bool isnan(T x) {
  return x != x;
}
template <typename T>
VT_DEVICE bool isinf(T x) {
  return x == x && x - x != x - x;
}
VT_DEVICE float abs(float x) {
  return ::fabsf(x);
}
VT_DEVICE double abs(double x) {
  return ::fabs(x);
}
template <typename F>
VT_DEVICE narrow_float<F> abs(narrow_float<F> x) {
  return narrow_float<F>(::fabsf(float(x)));
}
template <typename T>
VT_DEVICE T abs(T x) {
  return x < T(0) ? sub(T(0), x) : x;
}

// --- Four products of bytes, added to a sum. `us`: the first's bytes have no sign.

VT_DEVICE int dot4(int a, int b, int sum = 0) {
#if defined(__CUDA_ARCH__)
  return __dp4a(a, b, sum);
#else
  for (int shift = 0; shift < 32; shift += 8) {
    sum =
        add(sum, int(static_cast<signed char>(unsigned(a) >> shift)) * static_cast<signed char>(unsigned(b) >> shift));
  }
  return sum;
#endif
}
VT_DEVICE int dot4_us(int a, int b, int sum = 0) {
#if defined(__CUDA_ARCH__)
  int result;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
#else
  for (int shift = 0; shift < 32; shift += 8) {
    sum = add(sum, int((unsigned(a) >> shift) & 255U) * static_cast<signed char>(unsigned(b) >> shift));
  }
  return sum;
#endif
}

}  // namespace vt

#include "tensor_cores.cuh"
