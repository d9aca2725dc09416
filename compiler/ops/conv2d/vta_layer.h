// A layer from its description to its program.
#pragma once

#include "compiler/ops/conv2d/vta_conv2d.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "compiler/passes/pass.h"
#include "hw/program/program.h"

namespace vantage::ops {

struct Layer {
  Conv2dShape shape;
  Epilogue epilogue;
  VtaConv2dTiling tiling;
};

// The function with its schedule, ready to be lowered.
schedule::Schedule schedule_layer(const Layer& layer, const isa::Config& config);

// The program; its tensors are A, W, C and, with a bias, bias (vta_conv2d.h). Throws Error when the tiling does not
// fit.
Program compile_layer(const Layer& layer, const isa::Config& config, const passes::Observer& observer = nullptr);

}  // namespace vantage::ops
