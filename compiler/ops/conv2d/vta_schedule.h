// The VTA's schedule of vta_conv2d(): output tiles shared out among virtual threads, input channels in chunks.
#pragma once

#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Whether it all fits the scratchpads shows when the function is lowered.
void schedule_vta_conv2d(schedule::Schedule& s, const VtaConv2dTiling& tiling);

}  // namespace vantage::ops
