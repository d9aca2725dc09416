// A layer from its description to its program.
#pragma once

#include <vector>

#include "compiler/ops/conv2d/vta_conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/passes/pass.h"
#include "compiler/schedule/schedule.h"
#include "hw/program/program.h"

namespace vantage::ops {

struct Layer {
  Conv2dShape shape;
  Epilogue epilogue;
  VtaConv2dMapping mapping = {};
};

// A part with its schedule; its C is the part's box of the output.
schedule::Schedule schedule_part(const Layer& layer, const VtaConv2dPart& part, const isa::Config& config);
// What a schedule of it made, its C the whole output.
ir::PrimFunc into_whole(const Layer& layer, const VtaConv2dPart& part, const isa::Config& config,
                        ir::PrimFunc function);

// All parts, one behind the other, verified and ready to be lowered.
ir::PrimFunc schedule_layer(const Layer& layer, const isa::Config& config);

// The program; its tensors are A, W, C and, with a bias, bias (vta_conv2d.h). Throws Error when a part's tiling does
// not fit.
Program compile_layer(const Layer& layer, const isa::Config& config, const passes::Observer& observer = nullptr);

}  // namespace vantage::ops
