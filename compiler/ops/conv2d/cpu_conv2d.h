// 2D convolutions on a processor. Images are [batch][height][width][channels], so that the channels of a pixel lie side
// by side; weights are [out channels][in channels][kernel rows][kernel columns], and are packed once, ahead of time:
//
//   packed [out channel tile][kernel row][kernel column][in channels or words of four][out channels]
#pragma once

#include <optional>

#include "base/shape/conv2d.h"
#include "compiler/backend/cpu/target.h"
#include "compiler/ops/epilogue.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// float32 summed in float32, or int8 in int32. With an epilogue, which is for int8 alone, C = clip((sum + bias) >>
// shift) and is int8; otherwise C has the sums' type. The bias is one int32 per output channel.
struct CpuConv2d {
  Conv2dShape shape;
  ir::DType dtype = ir::kFloat32;
  std::optional<Epilogue> epilogue;

  bool has_bias() const { return epilogue && epilogue->bias; }
  ir::DType sum_type() const { return dtype == ir::kInt8 ? ir::kInt32 : ir::kFloat32; }
  ir::DType result() const { return epilogue ? ir::kInt8 : sum_type(); }
};

// What is computed, as a formula; parameters A, W, bias if there is one, C. Throws Error for a shape that is none,
// other types, or an epilogue on floats.
ir::PrimFunc cpu_conv2d(const CpuConv2d& conv);

// How: a tile of pixels in a row by output channels is summed in registers; so many rows of the output are worked on at
// a time, for all output channels.
struct CpuConv2dTiling {
  int64_t pixels, channels, rows;
};
CpuConv2dTiling choose_cpu_conv2d_tiling(const CpuConv2d& conv, const cpu::Target& target, int threads);

// The same function, scheduled, with packed weights as parameter W; and the function from W to the packed weights.
schedule::Schedule schedule_cpu_conv2d(const CpuConv2d& conv, const CpuConv2dTiling& tiling, const cpu::Target& target,
                                       int threads);
schedule::Schedule schedule_weight_packing(const CpuConv2d& conv, const CpuConv2dTiling& tiling);
std::vector<int64_t> packed_weights_shape(const CpuConv2d& conv, const CpuConv2dTiling& tiling);

}  // namespace vantage::ops
