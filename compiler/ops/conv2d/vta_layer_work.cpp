#include "compiler/ops/conv2d/vta_layer_work.h"

#include <algorithm>

#include "base/math.h"

namespace vantage::ops {

using isa::Memory;

int64_t LayerWork::least_cycles() const {
  return std::max({gemm_steps, vector_steps, read_beats, store_beats});
}

LayerWork layer_work(const Conv2dShape& s, const Epilogue& epilogue, const isa::Config& config) {
  const auto bytes = [&](Memory memory) { return static_cast<int64_t>(config.element_size(memory).count()); };
  const auto bus = static_cast<int64_t>(config.bus_width().count());
  const int64_t n = ceil_div(s.batch, config.batch()), ic = ceil_div(s.in_channels, config.block_in());
  const int64_t oc = ceil_div(s.out_channels, config.block_out());
  const int64_t results = n * oc * s.out_height() * s.out_width(), kernel = s.kernel_h * s.kernel_w;
  const int64_t reached = s.skips_rows() ? s.out_height() * s.out_width() : s.height * s.width;
  const int64_t read = n * ic * reached * bytes(Memory::kInp) + oc * ic * kernel * bytes(Memory::kWgt) +
                       (epilogue.bias ? oc * bytes(Memory::kAcc) : 0);
  return {results * ic * kernel, results * (1 + alu_instructions(epilogue)), ceil_div(read, bus),
          ceil_div(results * bytes(Memory::kOut), bus)};
}

}  // namespace vantage::ops
