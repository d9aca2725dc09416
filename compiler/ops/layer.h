// A layer from its description to its program.
#pragma once

#include "compiler/lower/pass.h"
#include "compiler/ops/conv2d.h"
#include "compiler/ops/conv2d_schedule.h"
#include "hw/spec/program.h"

namespace vantage::compiler {

struct Layer {
  Conv2dShape shape;
  Epilogue epilogue;
  Conv2dTiling tiling;
};

// The function with its schedule, ready to be lowered.
schedule::Schedule schedule_layer(const Layer& layer, const spec::Config& config);

// The program; its tensors are A, W, C and, with a bias, bias (conv2d.h). Throws Error when the tiling does not fit.
Program compile_layer(const Layer& layer, const spec::Config& config, const lower::Observer& observer = nullptr);

}  // namespace vantage::compiler
