#include "compiler/ops/conv2d/vta_work.h"

#include <algorithm>

#include "base/math.h"

namespace vantage::ops {

using isa::Memory;

vta::Work vta_conv2d_work(const Conv2dShape& s, const Epilogue& epilogue, const isa::Config& config) {
  const auto bytes = [&](Memory memory) { return static_cast<int64_t>(config.element_size(memory).count()); };
  const auto beats = [bus = static_cast<int64_t>(config.bus_width().count())](int64_t b) { return ceil_div(b, bus); };
  const int64_t n = ceil_div(s.batch, config.batch()), ic = ceil_div(s.in_channels, config.block_in());
  const int64_t oc = ceil_div(s.out_channels, config.block_out());
  const int64_t results = n * oc * s.out_height() * s.out_width(), kernel = s.kernel_h * s.kernel_w;
  const int64_t reached = s.skips_rows() ? s.out_height() * s.out_width() : s.height * s.width;
  const int64_t inputs = n * ic * reached * bytes(Memory::kInp), weights = oc * ic * kernel * bytes(Memory::kWgt);
  const int64_t bias = epilogue.bias ? oc * bytes(Memory::kAcc) : 0;

  vta::Work work;
  work.gemm_steps = results * ic * kernel;
  work.gemm_steps_behind = 1;
  work.sum_steps = ic * kernel;
  work.resets = results;
  work.result_steps = alu_instructions(epilogue);
  work.alu_steps = results * work.result_steps;
  work.read_beats = beats(inputs + weights + bias);
  work.first_beats = beats(bytes(Memory::kInp)) + beats(bytes(Memory::kWgt));
  work.store_beats = beats(results * bytes(Memory::kOut));
  work.last_beats = beats(bytes(Memory::kOut));
  return work;
}

int64_t least_steps(const vta::Work& work) {
  return std::max({work.gemm_steps, work.resets + work.alu_steps, work.read_beats, work.store_beats});
}

}  // namespace vantage::ops
