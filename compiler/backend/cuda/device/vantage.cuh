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

// --- IEEE binary16, every operation rounded.

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

struct half {
  unsigned short bits;
  half() = default;
  VT_DEVICE explicit half(float value) : bits(half_bits(value)) {}
  VT_DEVICE explicit half(double value) : bits(half_bits(value)) {}
  // An integer that a double cannot hold is beyond what a half can.
  VT_DEVICE explicit half(int value) : half(double(value)) {}
  VT_DEVICE explicit half(unsigned value) : half(double(value)) {}
  VT_DEVICE explicit half(long long value) : half(double(value)) {}
  VT_DEVICE operator float() const { return half_value(bits); }
};
// Rounded twice, by way of float, these are as if rounded once: a float has more than twice a half's digits.
VT_DEVICE half operator+(half a, half b) {
  return half(float(a) + float(b));
}
VT_DEVICE half operator-(half a, half b) {
  return half(float(a) - float(b));
}
VT_DEVICE half operator*(half a, half b) {
  return half(float(a) * float(b));
}
VT_DEVICE half operator/(half a, half b) {
  return half(float(a) / float(b));
}

// --- Functions of floats.

#define VT_UNARY(name)                \
  VT_DEVICE float name(float x) {     \
    return ::name##f(x);              \
  }                                   \
  VT_DEVICE double name(double x) {   \
    return ::name(x);                 \
  }                                   \
  VT_DEVICE half name(half x) {       \
    return half(::name##f(float(x))); \
  }
#define VT_BINARY(name)                         \
  VT_DEVICE float name(float x, float y) {      \
    return ::name##f(x, y);                     \
  }                                             \
  VT_DEVICE double name(double x, double y) {   \
    return ::name(x, y);                        \
  }                                             \
  VT_DEVICE half name(half x, half y) {         \
    return half(::name##f(float(x), float(y))); \
  }
VT_UNARY(acos)
VT_UNARY(asin)
VT_UNARY(atan)
VT_BINARY(atan2)
VT_UNARY(ceil)
VT_UNARY(cos)
VT_UNARY(cosh)
VT_UNARY(erf)
VT_UNARY(exp)
VT_UNARY(exp2)
VT_UNARY(floor)
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
VT_DEVICE half round(half x) {
  return half(::rintf(float(x)));
}
VT_DEVICE float rsqrt(float x) {
  return 1.0F / ::sqrtf(x);
}
VT_DEVICE double rsqrt(double x) {
  return 1.0 / ::sqrt(x);
}
VT_DEVICE half rsqrt(half x) {
  return half(1.0F / ::sqrtf(float(x)));
}
VT_DEVICE float sigmoid(float x) {
  return 1.0F / (1.0F + ::expf(-x));
}
VT_DEVICE double sigmoid(double x) {
  return 1.0 / (1.0 + ::exp(-x));
}
VT_DEVICE half sigmoid(half x) {
  return half(sigmoid(float(x)));
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
VT_DEVICE half abs(half x) {
  return half(::fabsf(float(x)));
}
template <typename T>
VT_DEVICE T abs(T x) {
  return x < T(0) ? sub(T(0), x) : x;
}

// By their bits: numbers that have no literal.
VT_DEVICE float float_of(unsigned bits) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  return __builtin_bit_cast(float, bits);
#endif
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

// --- Tensor cores: tiles that a warp holds, of which each thread has a part. All threads of the warp come here
// together. The sizes are those of the PTX instructions ldmatrix and mma: 16 x 16 elements of 16 bits or 16 x 32 of 8
// of the left side, 16 x 8 or 32 x 8 of the right one, and sums of 16 x 8. Those who run kernels on a processor bring
// functions of their own.

template <int part, typename T>
VT_DEVICE void fill_tile(T* tile) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int i = 0; i < part; ++i) tile[i] = T(0);
}

#ifdef __CUDA_ARCH__
// Four matrices of 8 rows of 16 bytes, the upper left one, the one below, and those to the right of both; `row` is the
// address of this thread's.
VT_DEVICE void load_four(unsigned* registers, const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
               : "r"(address)
               : "memory");
}
template <typename T>
VT_DEVICE void load_tile_a(T* tile, const T* rows, long long stride) {
  constexpr int eight_columns = 16 / sizeof(T);
  load_four(reinterpret_cast<unsigned*>(tile),
            rows + int(threadIdx.x % 16) * stride + threadIdx.x / 16 * eight_columns);
}
// Rows of the depth: turned on the way.
VT_DEVICE void load_tile_a_transposed(half* tile, const half* rows, long long stride) {
  unsigned* const registers = reinterpret_cast<unsigned*>(tile);
  const half* const row = rows + int(threadIdx.x / 16 * 8 + threadIdx.x % 8) * stride + threadIdx.x / 8 % 2 * 8;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
               : "r"(address)
               : "memory");
}
VT_DEVICE void load_tile_b(half* tile, const half* rows, long long stride) {
  unsigned* const registers = reinterpret_cast<unsigned*>(tile);
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(rows + int(threadIdx.x % 16) * stride));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(registers[0]), "=r"(registers[1])
               : "r"(address)
               : "memory");
}
// Rows of the columns, as the instruction wants them.
template <typename T>
VT_DEVICE void load_tile_b_transposed(T* tile, const T* rows, long long stride) {
  constexpr int eight_columns = 16 / sizeof(T);
  unsigned* const registers = reinterpret_cast<unsigned*>(tile);
  const T* const row = rows + int(threadIdx.x % 8) * stride + threadIdx.x / 8 % 2 * eight_columns;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(registers[0]), "=r"(registers[1])
               : "r"(address)
               : "memory");
}
VT_DEVICE void multiply_tiles(float* sums, const half* a, const half* b) {
  const unsigned* const x = reinterpret_cast<const unsigned*>(a);
  const unsigned* const y = reinterpret_cast<const unsigned*>(b);
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
#else
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(x[2 * i]), "r"(x[2 * i + 1]), "r"(y[i]));
  }
#endif
}
VT_DEVICE void multiply_tiles(int* sums, const signed char* a, const signed char* b) {
  const unsigned* const x = reinterpret_cast<const unsigned*>(a);
  const unsigned* const y = reinterpret_cast<const unsigned*>(b);
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
#else
  // Quarters: 8 rows of the left side by 16 of the depth.
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int half_of_sums = i % 2 * 2;
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+r"(sums[half_of_sums]), "+r"(sums[half_of_sums + 1])
        : "r"(x[i]), "r"(y[i / 2]));
  }
#endif
}
template <typename To, typename From>
VT_DEVICE void store_tile(To* rows, long long stride, const From* tile) {
  To* const first = rows + int(threadIdx.x / 4) * stride + threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < 4; ++i) first[i / 2 * 8 * stride + i % 2] = To(tile[i]);
}
#endif

}  // namespace vt
