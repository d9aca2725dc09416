#include "compiler/ops/conv2d/vta_work.h"

#include <algorithm>

#include "base/math.h"

namespace vantage::ops {

using isa::Memory;

namespace {

// Of `size` rows or columns with zeros around, those that kernels reach which step along them.
int64_t reached(int64_t size, int64_t kernel, int64_t stride, int64_t pad) {
  int64_t count = 0, next = 0;  // up to `next` they are counted
  for (int64_t begin = -pad; begin + kernel <= size + pad; begin += stride) {
    const int64_t from = std::max(begin, next), to = std::min(begin + kernel, size);
    count += std::max<int64_t>(0, to - from);
    next = std::max(next, to);
  }
  return count;
}

// How often a kernel's next place along a row or column begins behind pixels that the last one did not reach, all of
// them inside the image.
int64_t skips(int64_t size, int64_t kernel, int64_t stride, int64_t pad) {
  int64_t count = 0;
  for (int64_t begin = -pad; stride > kernel && begin + stride + kernel <= size + pad; begin += stride) {
    if (begin + kernel > 0 && begin + stride < size) ++count;
  }
  return count;
}

}  // namespace

vta::Work vta_conv2d_work(const Conv2dShape& s, const Epilogue& epilogue, const isa::Config& config) {
  const auto bytes = [&](Memory memory) { return static_cast<int64_t>(config.element_size(memory).count()); };
  const auto beats = [bus = static_cast<int64_t>(config.bus_width().count())](int64_t b) { return ceil_div(b, bus); };
  const int64_t n = ceil_div(s.batch, config.batch()), ic = ceil_div(s.in_channels, config.block_in());
  const int64_t oc = ceil_div(s.out_channels, config.block_out());
  const int64_t results = n * oc * s.out_height() * s.out_width(), kernel = s.kernel_h * s.kernel_w;
  const int64_t pixels = reached(s.height, s.kernel_h, s.stride, s.pad) * reached(s.width, s.kernel_w, s.stride, s.pad);
  const int64_t inputs = n * ic * pixels * bytes(Memory::kInp), weights = oc * ic * kernel * bytes(Memory::kWgt);
  const int64_t bias = epilogue.bias ? oc * bytes(Memory::kAcc) : 0;

  vta::Work work;
  work.gemm_steps = results * ic * kernel;
  work.gemm_steps_behind = 1;
  work.sum_steps = ic * kernel;
  work.first_steps = first_instructions(epilogue);
  work.resets = results * work.first_steps;
  work.result_steps = alu_instructions(epilogue);
  work.alu_steps = results * work.result_steps;
  work.read_beats = beats(inputs + weights + bias);
  work.gaps = n * ic * reached(s.height, s.kernel_h, s.stride, s.pad) * skips(s.width, s.kernel_w, s.stride, s.pad);
  work.gap_bytes = (s.stride - s.kernel_w) * bytes(Memory::kInp);
  work.first_beats = beats(bytes(Memory::kInp)) + beats(bytes(Memory::kWgt));
  work.store_beats = beats(results * bytes(Memory::kOut));
  work.last_beats = beats(bytes(Memory::kOut));
  return work;
}

int64_t least_steps(const vta::Work& work) {
  return std::max({work.gemm_steps, work.resets + work.alu_steps, work.read_beats, work.store_beats});
}

}  // namespace vantage::ops
