// Vector kernels, compiled once per Highway target (see kernels.cpp); hence the guard that toggles.
#if defined(VANTAGE_SIM_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VANTAGE_SIM_KERNELS_INL_H_
#undef VANTAGE_SIM_KERNELS_INL_H_
#else
#define VANTAGE_SIM_KERNELS_INL_H_
#endif

#include <hwy/highway.h>

#include "sim/functional/kernels.h"
#include "sim/functional/steps.h"
#include "sim/functional/vnni.h"

HWY_BEFORE_NAMESPACE();
namespace vantage::sim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A tile known at compile time, so that its loops unroll; 0 stands for "read it from the shape".
template <int kBatch, int kIn, int kOut>
struct Tile {
  static int batch(const TileShape& shape) { return kBatch != 0 ? kBatch : shape.batch; }
  static int block_in(const TileShape& shape) { return kIn != 0 ? kIn : shape.block_in; }
  static int block_out(const TileShape& shape) { return kOut != 0 ? kOut : shape.block_out; }
  // One int32 lane per output column, as many columns at a time as fit a vector.
  using Lanes = hn::CappedTag<int32_t, (kOut != 0 ? kOut : 64)>;
};

// The 32 bits at `p`, wherever they lie.
HWY_INLINE int32_t load_i32(const void* p) {
  int32_t value;
  std::memcpy(&value, p, sizeof(value));
  return value;
}

// Rows of `groups` 32-bit words, transposed `lanes` rows at a time: packed[o / lanes][group][o % lanes]. That is the
// order in which a vector kernel reads them: one vector per group of inputs, one lane per output.
template <class D, typename Convert>
void transpose_words(D d, const std::byte* rows, size_t row_count, int groups, std::byte* packed, Convert convert) {
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto* out = reinterpret_cast<int32_t*>(packed);
  for (size_t o = 0; o < row_count; o += static_cast<size_t>(lanes)) {
    const auto* in = reinterpret_cast<const int32_t*>(rows) + o * static_cast<size_t>(groups);
    if (groups == 4) {
      hn::Vec<D> v0, v1, v2, v3;
      hn::LoadInterleaved4(d, in, v0, v1, v2, v3);
      hn::StoreU(convert(v0), d, out);
      hn::StoreU(convert(v1), d, out + lanes);
      hn::StoreU(convert(v2), d, out + 2 * lanes);
      hn::StoreU(convert(v3), d, out + 3 * lanes);
    } else if (groups == 2) {
      hn::Vec<D> v0, v1;
      hn::LoadInterleaved2(d, in, v0, v1);
      hn::StoreU(convert(v0), d, out);
      hn::StoreU(convert(v1), d, out + lanes);
    } else {
      for (int group = 0; group < groups; ++group) {
        for (int lane = 0; lane < lanes; ++lane) {
          out[group * lanes + lane] = load_i32(in + static_cast<size_t>(lane) * groups + group);
        }
        hn::StoreU(convert(hn::LoadU(d, out + group * lanes)), d, out + group * lanes);
      }
    }
    out += groups * lanes;
  }
}

// ---------------------------------------------------------------------------------------------------------- vnni
// Packing for the kernels of vnni.h, which says what the layout means.

template <class T>
void vnni_pack_inp(const TileShape& shape, const std::byte* natural, std::byte* packed, size_t count) {
  const int batch = T::batch(shape);
  const int block_in = T::block_in(shape);
  const size_t stride = vnni_inp_stride(shape);
  for (; count > 0; --count, natural += batch * block_in, packed += stride) {
    std::memcpy(packed, natural, static_cast<size_t>(batch * block_in));
    for (int b = 0; b < batch; ++b) {
      int32_t sum = 0;
      for (int i = 0; i < block_in; ++i) sum += static_cast<int8_t>(natural[b * block_in + i]);
      const int32_t correction = -128 * sum;
      std::memcpy(packed + batch * block_in + b * static_cast<int>(sizeof(int32_t)), &correction, sizeof(correction));
    }
  }
}

template <class T>
void vnni_pack_wgt(const TileShape& shape, const std::byte* natural, std::byte* packed, size_t count) {
  const typename T::Lanes d;
  const auto add_128 = [d](auto v) HWY_ATTR { return hn::Xor(v, hn::Set(d, static_cast<int32_t>(0x80808080))); };
  // Elements lie one after another in both layouts, so that many are one with more rows.
  transpose_words(d, natural, count * static_cast<size_t>(T::block_out(shape)), T::block_in(shape) / 4, packed,
                  add_128);
}

template <class T>
void use_vnni(const TileShape& shape, Kernels& kernels) {
  kernels.inp_stride = vnni_inp_stride(shape);
  kernels.wgt_stride = static_cast<size_t>(shape.block_in * shape.block_out);
  kernels.pack_inp = vnni_pack_inp<T>;
  kernels.pack_wgt = vnni_pack_wgt<T>;
  kernels.gemm = vnni_gemm(shape, static_cast<int>(hn::Lanes(typename T::Lanes())));
  kernels.description = "vnni";
}

// --------------------------------------------------------------------------------------------------------- pairs
// Inputs and weights widened to int16; two products per 32-bit lane and instruction.

inline void widen(const std::byte* natural, size_t count, int16_t* wide) {
  for (size_t i = 0; i < count; ++i) wide[i] = static_cast<int8_t>(natural[i]);
}

template <class T>
void pairs_pack_inp(const TileShape& shape, const std::byte* natural, std::byte* packed, size_t count) {
  widen(natural, count * static_cast<size_t>(T::batch(shape) * T::block_in(shape)), reinterpret_cast<int16_t*>(packed));
}

template <class T>
void pairs_pack_wgt(const TileShape& shape, const std::byte* natural, std::byte* packed, size_t count) {
  const typename T::Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int block_in = T::block_in(shape);
  const auto rows = static_cast<int>(count) * T::block_out(shape);
  auto* out = reinterpret_cast<int16_t*>(packed);
  for (int o = 0; o < rows; o += lanes) {
    for (int i = 0; i < block_in; i += 2) {
      for (int lane = 0; lane < lanes; ++lane) {
        widen(natural + (o + lane) * block_in + i, 2, out);
        out += 2;
      }
    }
  }
}

template <class T>
void pairs_gemm(const TileShape& shape, const GemmLoop& loop, int32_t* acc, const std::byte* inp,
                const std::byte* wgt) {
  const typename T::Lanes d;
  const hn::Repartition<int16_t, decltype(d)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int batch = T::batch(shape);
  const int block_in = T::block_in(shape);
  const int block_out = T::block_out(shape);
  const size_t inp_stride = static_cast<size_t>(batch * block_in) * sizeof(int16_t);
  const size_t wgt_stride = static_cast<size_t>(block_in * block_out) * sizeof(int16_t);
  const size_t acc_stride = static_cast<size_t>(batch * block_out);
  for_each_gemm_step(loop, [&](uint64_t dst, uint64_t src, uint64_t weight) HWY_ATTR {
    const std::byte* x = inp + src * inp_stride;
    int32_t* sums = acc + dst * acc_stride;
    for (int b = 0; b < batch; ++b) {
      const auto* w = reinterpret_cast<const int16_t*>(wgt + weight * wgt_stride);
      for (int o = 0; o < block_out; o += lanes) {
        auto sum0 = hn::Zero(d);
        auto sum1 = hn::Zero(d);
        for (int i = 0; i < block_in; i += 2) {
          const auto pair = hn::BitCast(d16, hn::Set(d, load_i32(x + (b * block_in + i) * 2)));
          sum0 = hn::ReorderWidenMulAccumulate(d, pair, hn::LoadU(d16, w), sum0, sum1);
          w += 2 * lanes;
        }
        int32_t* lane = sums + b * block_out + o;
        hn::StoreU(hn::Add(hn::LoadU(d, lane), hn::RearrangeToOddPlusEven(sum0, sum1)), d, lane);
      }
    }
  });
}

template <class T>
void use_pairs(const TileShape& shape, Kernels& kernels) {
  kernels.inp_stride = static_cast<size_t>(shape.batch * shape.block_in) * sizeof(int16_t);
  kernels.wgt_stride = static_cast<size_t>(shape.block_in * shape.block_out) * sizeof(int16_t);
  kernels.pack_inp = pairs_pack_inp<T>;
  kernels.pack_wgt = pairs_pack_wgt<T>;
  kernels.gemm = pairs_gemm<T>;
  kernels.description = "pairs";
}

// ----------------------------------------------------------------------------------------------------------- ALU

using AluLanes = hn::CappedTag<int32_t, 16>;

struct MinOp {
  template <class V>
  static HWY_INLINE V apply(AluLanes, V x, V y) {
    return hn::Min(x, y);
  }
};
struct MaxOp {
  template <class V>
  static HWY_INLINE V apply(AluLanes, V x, V y) {
    return hn::Max(x, y);
  }
};
struct AddOp {
  template <class V>
  static HWY_INLINE V apply(AluLanes, V x, V y) {
    return hn::Add(x, y);
  }
};
struct MulOp {
  template <class V>
  static HWY_INLINE V apply(AluLanes, V x, V y) {
    return hn::Mul(x, y);
  }
};
// Right by y when y >= 0, left by -y otherwise; amounts past the width leave only signs or zeros.
struct ShrOp {
  template <class V>
  static HWY_INLINE V apply(AluLanes d, V x, V y) {
    const auto zero = hn::Zero(d);
    const auto limit = hn::Set(d, 31);
    const auto right = hn::Shr(x, hn::Min(hn::Max(y, zero), limit));
    const auto amount = hn::Neg(hn::Max(y, hn::Set(d, -32)));
    const auto left = hn::Shl(x, hn::Min(hn::Max(amount, zero), limit));
    const auto left_or_zero = hn::IfThenElse(hn::Gt(amount, limit), zero, left);
    return hn::IfThenElse(hn::Lt(y, zero), left_or_zero, right);
  }
};

template <class Op>
void vector_alu_op(const TileShape& shape, const AluLoop& loop, int32_t* acc) {
  const AluLanes d;
  const size_t step = hn::Lanes(d);
  const auto lanes = static_cast<size_t>(shape.acc_lanes());
  const auto imm = hn::Set(d, loop.imm);
  if (loop.use_imm) {
    for_each_alu_step(loop, [&](uint64_t dst, uint64_t) HWY_ATTR {
      for (size_t lane = dst * lanes; lane < (dst + 1) * lanes; lane += step) {
        hn::StoreU(Op::apply(d, hn::LoadU(d, acc + lane), imm), d, acc + lane);
      }
    });
  } else {
    for_each_alu_step(loop, [&](uint64_t dst, uint64_t src) HWY_ATTR {
      for (size_t lane = 0; lane < lanes; lane += step) {
        int32_t* x = acc + dst * lanes + lane;
        hn::StoreU(Op::apply(d, hn::LoadU(d, x), hn::LoadU(d, acc + src * lanes + lane)), d, x);
      }
    });
  }
}

inline void vector_alu(const TileShape& shape, const AluLoop& loop, int32_t* acc) {
  switch (loop.op) {
    case isa::AluOp::kMin: return vector_alu_op<MinOp>(shape, loop, acc);
    case isa::AluOp::kMax: return vector_alu_op<MaxOp>(shape, loop, acc);
    case isa::AluOp::kAdd: return vector_alu_op<AddOp>(shape, loop, acc);
    case isa::AluOp::kShr: return vector_alu_op<ShrOp>(shape, loop, acc);
    case isa::AluOp::kMul: return vector_alu_op<MulOp>(shape, loop, acc);
  }
}

// --------------------------------------------------------------------------------------------------------- choice

// True when kernels for this tile were put in place.
template <class T>
bool use_vectors(const TileShape& shape, Kernels& kernels) {
  const auto lanes = static_cast<int>(hn::Lanes(typename T::Lanes()));
  if (T::block_out(shape) % lanes != 0) return false;
  // On x86, better targets have smaller numbers.
  if (HWY_TARGET <= HWY_AVX3 && has_vnni() && lanes >= 8 && T::block_in(shape) % 4 == 0) {
    use_vnni<T>(shape, kernels);
    return true;
  }
  if (T::block_in(shape) % 2 != 0) return false;
  use_pairs<T>(shape, kernels);
  return true;
}

template <int kBatch, int kIn, int kOut>
bool use_tile(const TileShape& shape, Kernels& kernels) {
  if (shape.batch != kBatch || shape.block_in != kIn || shape.block_out != kOut) return false;
  return use_vectors<Tile<kBatch, kIn, kOut>>(shape, kernels);
}

// Replaces the scalar kernels in `kernels` by vector ones where the shape allows. Called through Highway's dispatch.
void choose_kernels(const TileShape& shape, Kernels& kernels) {
#if HWY_TARGET == HWY_SCALAR
  (void)shape, (void)kernels;  // a single lane gains nothing
#else
  if (shape.acc_bits != 32) return;
  if (static_cast<size_t>(shape.acc_lanes()) % hn::Lanes(AluLanes()) == 0) kernels.alu = vector_alu;
  if (!shape.byte_inputs) return;
  // The common tiles are known at compile time; any other that fits whole vectors takes the last.
  bool chosen = false;
#define VANTAGE_USE_TILE(batch, in, out) chosen = chosen || use_tile<batch, in, out>(shape, kernels);
  VANTAGE_COMMON_TILES(VANTAGE_USE_TILE)
#undef VANTAGE_USE_TILE
  if (chosen || use_vectors<Tile<0, 0, 0>>(shape, kernels)) {
    kernels.description += std::string(" ") + hwy::TargetName(HWY_TARGET);
  }
#endif
}

}  // namespace vantage::sim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
