#include "bench/dot_product_peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/dot_product_peak.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "sim/functional/vnni.h"

#if VANTAGE_HAVE_VNNI
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace vantage::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Enough independent accumulators to hide the latency of one multiply-accumulate.
constexpr int kChains = 16;

#if HWY_TARGET == HWY_SCALAR
uint64_t dot_products(uint64_t iterations, int32_t& sink) {
  uint32_t sums[kChains] = {};
  const auto x = static_cast<uint32_t>(sink);
  for (uint64_t i = 0; i < iterations; ++i) {
    for (uint32_t& sum : sums) sum = sum * x + x;
  }
  for (uint32_t sum : sums) sink += static_cast<int32_t>(sum);
  return iterations * kChains;
}
#else
uint64_t dot_products(uint64_t iterations, int32_t& sink) {
  const hn::ScalableTag<int32_t> d;
  const auto x = hn::Set(d, sink);
  const auto y = hn::Set(d, sink + 1);
  hn::Vec<decltype(d)> s[kChains];
  for (int i = 0; i < kChains; ++i) s[i] = hn::Set(d, i);  // or the compiler would find that all are one
  constexpr uint64_t kPerLane = 2;
  const hn::Repartition<int16_t, decltype(d)> d16;
  auto high = hn::Zero(d);
  auto factor = x;
  for (uint64_t i = 0; i < iterations; ++i) {
    for (auto& sum : s)
      sum = hn::ReorderWidenMulAccumulate(d, hn::BitCast(d16, factor), hn::BitCast(d16, y), sum, high);
    factor = hn::Xor(factor, y);  // or the products would be computed once, before the loop
  }
  s[0] = hn::Add(s[0], high);
  auto total = hn::Zero(d);
  for (const auto& sum : s) total = hn::Add(total, sum);
  sink = hn::GetLane(total);
  return iterations * kChains * hn::Lanes(d) * kPerLane;
}
#endif

}  // namespace vantage::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::bench {

HWY_EXPORT(dot_products);

#if VANTAGE_HAVE_VNNI
VANTAGE_VNNI uint64_t vnni_dot_products(uint64_t iterations, int32_t& sink) {
  constexpr int kChains = 16;
  const __m512i x = _mm512_set1_epi32(sink);
  const __m512i y = _mm512_set1_epi32(sink + 1);
  __m512i sums[kChains];  // each starts elsewhere, or the compiler would find that all are one
  for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_epi32(i);
  for (uint64_t i = 0; i < iterations; ++i) {
    for (__m512i& sum : sums) sum = _mm512_dpbusd_epi32(sum, x, y);
  }
  __m512i total = sums[0];
  for (const __m512i& sum : sums) total = _mm512_add_epi32(total, sum);
  alignas(64) int32_t lanes[16];
  _mm512_store_si512(lanes, total);
  sink = lanes[0];
  return iterations * kChains * 64;
}
#endif

uint64_t run_dot_products(uint64_t iterations, int32_t& sink) {
#if VANTAGE_HAVE_VNNI
  if (sim::has_vnni()) return vnni_dot_products(iterations, sink);
#endif
  return HWY_DYNAMIC_DISPATCH(dot_products)(iterations, sink);
}

const char* dot_product_kind() {
  return sim::has_vnni() ? "AVX-512 VNNI" : "int16 pairs";
}

}  // namespace vantage::bench
#endif
