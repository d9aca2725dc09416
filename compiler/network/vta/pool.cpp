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
  if (!f.is(value, "max_pool2d"))
    fail("it computes more than the greatest pixel of windows; what follows is a step of its own");
  const Node& node = f.node(value);
  const size_t input = f.unpacked_input(node.inputs[0], config.batch(), config.block_out());
  if (config.out_bits() != 8) {
    fail("accumulators are loaded from 8 bits alone, but outputs of configuration {} have {}; LOG_INP_WIDTH 3 would do",
         config.name(), config.out_bits());
  }
  const Tensor::Shape& x = f.type(node.inputs[0]).shape;
  const ops::Integers& kernel = node.attributes.integers("kernel");
  const auto& [rows, columns] = ops::window_of(node.attributes, x, kernel[0], kernel[1]);
  const Border pad{rows.before, columns.before, rows.after, columns.after};
  for (const int64_t side : {pad.top, pad.left, pad.bottom, pad.right}) {
    if (side > 15) fail("its padding is {}, a load's 15 at most; pad before it", side);
  }
  const int64_t least = function.ranges[input].least;
  if (pad.any() && least < 0)
    fail("it pads, which loads do with zeros, but pixels may be {}; put a ReLU before it", least);
  return {.batch = x[0],
          .channels = x[1],
          .height = x[2],
          .width = x[3],
          .kernel_h = kernel[0],
          .kernel_w = kernel[1],
          .stride = {rows.stride, columns.stride},
          .pad = pad,
          .dilation = {rows.dilation, columns.dilation},
          .least = least >= 0 ? 0 : -128};
}

}  // namespace vantage::network
