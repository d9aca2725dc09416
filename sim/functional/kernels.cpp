// Kernels for every instruction-set target that Highway knows, compiled from this one file and chosen at run time.
//
// Three families, the first that suits the tile wins:
//   vnni   int8, AVX-512 VNNI: four multiply-accumulates per 32-bit lane and instruction
//   pairs  int8 widened to int16, every vector target: two per lane and instruction
//   scalar any tile and width, plain loops
#include "sim/functional/kernels.h"

#include <algorithm>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/functional/kernels.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "sim/functional/kernels-inl.h"

#if HWY_ONCE
#include <fmt/format.h>

#include "base/error.h"
#include "sim/functional/scalar_kernels.h"

namespace vantage::sim {

HWY_EXPORT(choose_kernels);

TileShape TileShape::of(const isa::Config& config) {
  return {config.batch(), config.block_in(), config.block_out(), config.acc_bits(),
          config.inp_bits() <= 8 && config.wgt_bits() <= 8};
}

Kernels select_kernels(const isa::Config& config) {
  const TileShape shape = TileShape::of(config);
  Kernels kernels = scalar_kernels(shape);
  HWY_DYNAMIC_DISPATCH(choose_kernels)(shape, kernels);
  return kernels;
}

}  // namespace vantage::sim
#endif  // HWY_ONCE
