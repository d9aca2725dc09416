#include "sim/functional/vnni.h"

#include <hwy/targets.h>

#include <cstring>
#include <type_traits>

#include "base/error.h"
#include "base/math.h"
#include "sim/functional/steps.h"

#if VANTAGE_HAVE_VNNI
#include <immintrin.h>
#endif

namespace vantage::sim {

bool has_vnni() {
  return VANTAGE_HAVE_VNNI != 0 && (hwy::SupportedTargets() & HWY_AVX3_DL) != 0;
}

size_t vnni_inp_stride(const TileShape& shape) {
  constexpr size_t kAlign = 32;
  const size_t size = static_cast<size_t>(shape.batch) * (static_cast<size_t>(shape.block_in) + sizeof(int32_t));
  return round_up(size, kAlign);
}

#if VANTAGE_HAVE_VNNI

namespace {

// The few vector operations that the kernel needs, on 16 and on 8 lanes of int32.
struct Lanes16 {
  static constexpr int kCount = 16;
  using Vec = __m512i;
  VANTAGE_VNNI static inline Vec load(const void* p) { return _mm512_loadu_si512(p); }
  VANTAGE_VNNI static inline void store(void* p, Vec v) { _mm512_storeu_si512(p, v); }
  VANTAGE_VNNI static inline Vec broadcast(int32_t x) { return _mm512_set1_epi32(x); }
  VANTAGE_VNNI static inline Vec add(Vec a, Vec b) { return _mm512_add_epi32(a, b); }
  VANTAGE_VNNI static inline Vec dot(Vec sum, Vec w, Vec x) { return _mm512_dpbusd_epi32(sum, w, x); }
};

struct Lanes8 {
  static constexpr int kCount = 8;
  using Vec = __m256i;
  VANTAGE_VNNI static inline Vec load(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
  VANTAGE_VNNI static inline void store(void* p, Vec v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
  VANTAGE_VNNI static inline Vec broadcast(int32_t x) { return _mm256_set1_epi32(x); }
  VANTAGE_VNNI static inline Vec add(Vec a, Vec b) { return _mm256_add_epi32(a, b); }
  VANTAGE_VNNI static inline Vec dot(Vec sum, Vec w, Vec x) { return _mm256_dpbusd_epi32(sum, w, x); }
};

inline int32_t load_i32(const std::byte* p) {
  int32_t value;
  std::memcpy(&value, p, sizeof(value));
  return value;
}

// One output vector: x[b] . w, all inputs of one row with `L::kCount` columns of weights.
template <class L>
VANTAGE_VNNI inline typename L::Vec dot_row(const std::byte* row, int32_t correction, const std::byte* w,
                                            int block_in) {
  auto sum = L::broadcast(correction);
  for (int i = 0; i < block_in; i += 4) {
    sum = L::dot(sum, L::load(w), L::broadcast(load_i32(row + i)));
    w += L::kCount * static_cast<int>(sizeof(int32_t));
  }
  return sum;
}

// A tile known at compile time. The accumulators of the last destination stay in registers: reductions often keep
// adding to one, and each trip through memory would cost more than the step itself.
template <class L, int kBatch, int kIn, int kOut>
VANTAGE_VNNI void tile_gemm(const TileShape&, const GemmLoop& loop, int32_t* acc, const std::byte* inp,
                            const std::byte* wgt) {
  constexpr int kVectors = kBatch * kOut / L::kCount;
  constexpr int kPerRow = kOut / L::kCount;
  constexpr uint64_t kNone = UINT64_MAX;
  const size_t inp_stride = vnni_inp_stride({kBatch, kIn, kOut, 32, true});
  typename L::Vec held[kVectors];
  for (auto& vector : held) vector = L::broadcast(0);
  uint64_t held_dst = kNone;
  for_each_gemm_step(loop, [&](uint64_t dst, uint64_t src, uint64_t weight) VANTAGE_VNNI {
    if (dst != held_dst) {
      for (int v = 0; v < kVectors; ++v) {
        if (held_dst != kNone) L::store(acc + held_dst * kBatch * kOut + v * L::kCount, held[v]);
        held[v] = L::load(acc + dst * kBatch * kOut + v * L::kCount);
      }
      held_dst = dst;
    }
    const std::byte* x = inp + src * inp_stride;
    const std::byte* w = wgt + weight * (kIn * kOut);
    for (int v = 0; v < kVectors; ++v) {
      const int b = v / kPerRow;
      const int32_t correction = load_i32(x + kBatch * kIn + b * static_cast<int>(sizeof(int32_t)));
      held[v] = L::add(held[v], dot_row<L>(x + b * kIn, correction, w + v % kPerRow * (kIn * L::kCount), kIn));
    }
  });
  if (held_dst == kNone) return;
  for (int v = 0; v < kVectors; ++v) L::store(acc + held_dst * kBatch * kOut + v * L::kCount, held[v]);
}

// Any other tile of whole vectors.
template <class L>
VANTAGE_VNNI void any_gemm(const TileShape& shape, const GemmLoop& loop, int32_t* acc, const std::byte* inp,
                           const std::byte* wgt) {
  const size_t inp_stride = vnni_inp_stride(shape);
  const size_t wgt_stride = static_cast<size_t>(shape.block_in * shape.block_out);
  const auto acc_stride = static_cast<size_t>(shape.acc_lanes());
  for_each_gemm_step(loop, [&](uint64_t dst, uint64_t src, uint64_t weight) VANTAGE_VNNI {
    const std::byte* x = inp + src * inp_stride;
    const std::byte* corrections = x + shape.batch * shape.block_in;
    for (int b = 0; b < shape.batch; ++b) {
      const int32_t correction = load_i32(corrections + b * static_cast<int>(sizeof(int32_t)));
      for (int o = 0; o < shape.block_out; o += L::kCount) {
        int32_t* lane = acc + dst * acc_stride + b * shape.block_out + o;
        const std::byte* w = wgt + weight * wgt_stride + o * shape.block_in;
        const auto sum = dot_row<L>(x + b * shape.block_in, correction, w, shape.block_in);
        L::store(lane, L::add(L::load(lane), sum));
      }
    }
  });
}

}  // namespace

decltype(Kernels::gemm) vnni_gemm(const TileShape& s, int lanes) {
  VANTAGE_CHECK(lanes == Lanes8::kCount || lanes == Lanes16::kCount);
#define VANTAGE_TILE_KERNEL(batch_, in_, out_)                                                        \
  if (s.batch == batch_ && s.block_in == in_ && s.block_out == out_) {                                \
    return tile_gemm<std::conditional_t<out_ == Lanes8::kCount, Lanes8, Lanes16>, batch_, in_, out_>; \
  }
  VANTAGE_COMMON_TILES(VANTAGE_TILE_KERNEL)
#undef VANTAGE_TILE_KERNEL
  return lanes == Lanes8::kCount ? any_gemm<Lanes8> : any_gemm<Lanes16>;
}

#else

decltype(Kernels::gemm) vnni_gemm(const TileShape&, int) {
  VANTAGE_CHECK(false);  // has_vnni() is false here
  return nullptr;
}

#endif

}  // namespace vantage::sim
