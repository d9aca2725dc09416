// Convolutions, dense layers and products of activations on the VTA, and sums of two activations, which are a product
// with weights of one: from a function of a graph to a layer of compiler/ops/conv2d.
//
// Thread safety: functions without state.
#pragma once

#include <memory>
#include <optional>

#include "base/shape/conv2d.h"
#include "compiler/network/vta/function.h"
#include "compiler/ops/epilogue.h"

namespace vantage::network {

// A layer, and which of the function's inputs its operands are.
struct VtaConv {
  Conv2dShape shape;
  ops::Epilogue epilogue;
  size_t x = 0;
  std::optional<size_t> addend = {};
  int64_t depth = 1;  // channels that a result takes, of a group
  // int8 [outputs, channels, rows, columns] or [outputs, channels]: all channels, or those of a tile where the shape is
  // channelwise. Null where they are an activation, of the function's input `weights_input`.
  std::shared_ptr<const Tensor> weights = {};
  size_t weights_input = 0;
  std::shared_ptr<const Tensor> bias = {};         // int32 [outputs], if there is one
  std::shared_ptr<const Tensor> multipliers = {};  // int32, one for each output
};

// Throws Error that says what of it the GEMM core, the ALU or the configuration's widths cannot do.
VtaConv read_conv(const BoundFunction& function, const isa::Config& config);

}  // namespace vantage::network
