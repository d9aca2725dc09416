// The functions of a layer's parts as one.
#pragma once

#include <vector>

#include "base/shape/conv2d.h"
#include "compiler/ir/prim_func.h"
#include "compiler/ops/conv2d/vta_mapping.h"

namespace vantage::ops {

// Whether virtual threads go from one part to the next without waiting for each other: there are as many of them, in
// the same order, and what is resident for the one is for the other, and lies in the same pieces.
bool go_on(const Conv2dShape& shape, const VtaConv2dTiling& before, const VtaConv2dTiling& next);

// One behind the other. `functions`: the parts' after their schedules, each with the whole output as its C; the blocks
// of all but the first get an ending. Where threads go on, their loop is one, and what is resident is loaded once.
// Not verified.
ir::PrimFunc join_parts(const Conv2dShape& shape, const VtaConv2dMapping& mapping,
                        const std::vector<ir::PrimFunc>& functions);

}  // namespace vantage::ops
