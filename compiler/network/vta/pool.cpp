#include "compiler/network/vta/pool.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/sizes.h"

namespace vantage::network {

using graph::Node;
using graph::Value;

ops::VtaPool read_max_pool(const BoundFunction& function, const isa::Config& config) {
  const FunctionReader f(function);
  const Value value = f.result(config);
  if (!f.is(value, "max_pool2d")) fail("it computes more than the greatest pixel of windows");
  const Node& node = f.node(value);
  const size_t input = f.unpacked_input(node.inputs[0], config.batch(), config.block_out());
  if (config.out_bits() != 8) {
    fail("accumulators are loaded from 8 bits alone, but outputs of configuration {} have {}", config.name(),
         config.out_bits());
  }
  const Tensor::Shape& x = f.type(node.inputs[0]).shape;
  const ops::Integers& kernel = node.attributes.integers("kernel");
  const auto& [rows, columns] = ops::window_of(node.attributes, x, kernel[0], kernel[1]);
  if (rows.dilation != 1 || columns.dilation != 1) fail("its windows are dilated");
  if (rows.stride != columns.stride) fail("its strides are {} and {}", rows.stride, columns.stride);
  if (rows.before != rows.after || columns.before != columns.after || rows.before != columns.before) {
    fail("its padding is not the same on all sides");
  }
  if (rows.before > 15) fail("its padding is {}; a load pads by 15 at most", rows.before);
  const int64_t least = function.least[input];
  if (rows.before > 0 && least < 0) fail("it pads, which loads do with zeros, but pixels may be {}", least);
  return {.batch = x[0],
          .channels = x[1],
          .height = x[2],
          .width = x[3],
          .kernel_h = kernel[0],
          .kernel_w = kernel[1],
          .stride = rows.stride,
          .pad = rows.before,
          .least = least >= 0 ? 0 : -128};
}

}  // namespace vantage::network
