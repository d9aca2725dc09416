// Kernels for any tile and any element width, in natural layout: the path of last resort.
#pragma once

#include <cstring>

#include "hw/isa/lanes.h"
#include "sim/functional/kernels.h"
#include "sim/functional/steps.h"

namespace vantage::sim {

inline int32_t alu_lane(isa::AluOp op, int32_t x, int32_t y, int acc_bits) {
  switch (op) {
    case isa::AluOp::kMin: return std::min(x, y);
    case isa::AluOp::kMax: return std::max(x, y);
    case isa::AluOp::kAdd: return wrap_to(static_cast<uint32_t>(x) + static_cast<uint32_t>(y), acc_bits);
    case isa::AluOp::kMul: return wrap_to(static_cast<uint32_t>(x) * static_cast<uint32_t>(y), acc_bits);
    case isa::AluOp::kShr:
      if (y >= 0) return x >> std::min(y, 31);  // x is sign-extended, so 31 stands for every larger amount
      return y <= -32 ? 0 : wrap_to(static_cast<uint32_t>(x) << -y, acc_bits);
  }
  return 0;
}

template <typename Element>
void scalar_gemm(const TileShape& shape, const GemmLoop& loop, int32_t* acc, const std::byte* inp,
                 const std::byte* wgt) {
  const size_t inp_elements = static_cast<size_t>(shape.batch) * shape.block_in;
  const size_t wgt_elements = static_cast<size_t>(shape.block_out) * shape.block_in;
  for_each_gemm_step(loop, [&](uint64_t dst, uint64_t src, uint64_t weight) {
    const auto* x = reinterpret_cast<const Element*>(inp) + src * inp_elements;
    const auto* w = reinterpret_cast<const Element*>(wgt) + weight * wgt_elements;
    int32_t* sums = acc + dst * static_cast<size_t>(shape.acc_lanes());
    for (int b = 0; b < shape.batch; ++b) {
      for (int o = 0; o < shape.block_out; ++o) {
        uint32_t sum = 0;  // unsigned: the accumulator wraps
        for (int i = 0; i < shape.block_in; ++i) {
          sum += static_cast<uint32_t>(int32_t{x[b * shape.block_in + i]} * int32_t{w[o * shape.block_in + i]});
        }
        int32_t& lane = sums[b * shape.block_out + o];
        lane = wrap_to(static_cast<uint32_t>(lane) + sum, shape.acc_bits);
      }
    }
  });
}

inline void scalar_alu(const TileShape& shape, const AluLoop& loop, int32_t* acc) {
  const auto lanes = static_cast<size_t>(shape.acc_lanes());
  for_each_alu_step(loop, [&](uint64_t dst, uint64_t src) {
    for (size_t lane = 0; lane < lanes; ++lane) {
      int32_t& x = acc[dst * lanes + lane];
      x = alu_lane(loop.op, x, loop.use_imm ? loop.imm : acc[src * lanes + lane], shape.acc_bits);
    }
  });
}

template <typename Element>
void copy_inp(const TileShape& shape, const std::byte* natural, std::byte* packed, size_t count) {
  std::memcpy(packed, natural, count * sizeof(Element) * static_cast<size_t>(shape.batch * shape.block_in));
}

template <typename Element>
void copy_wgt(const TileShape& shape, const std::byte* natural, std::byte* packed, size_t count) {
  std::memcpy(packed, natural, count * sizeof(Element) * static_cast<size_t>(shape.block_out * shape.block_in));
}

template <typename Element>
Kernels scalar_kernels_of(const TileShape& shape) {
  Kernels kernels;
  kernels.description = "scalar";
  kernels.shape = shape;
  kernels.inp_stride = sizeof(Element) * static_cast<size_t>(shape.batch * shape.block_in);
  kernels.wgt_stride = sizeof(Element) * static_cast<size_t>(shape.block_out * shape.block_in);
  kernels.pack_inp = copy_inp<Element>;
  kernels.pack_wgt = copy_wgt<Element>;
  kernels.gemm = scalar_gemm<Element>;
  kernels.alu = scalar_alu;
  return kernels;
}

inline Kernels scalar_kernels(const TileShape& shape) {
  return shape.byte_inputs ? scalar_kernels_of<int8_t>(shape) : scalar_kernels_of<int16_t>(shape);
}

}  // namespace vantage::sim
