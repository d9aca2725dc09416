// How long a tiling takes, from a model of the core's pipelines at the grain of tiles: which loads, GEMMs, ALU
// instructions and stores wait for which. docs/hardware.md has the rules that it follows.
#pragma once

#include <optional>

#include "compiler/ops/conv2d/vta_conv2d.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "compiler/ops/transfer_cost.h"

namespace vantage::ops {

// Scratchpad elements that a tiling takes; of all virtual threads together.
struct ScratchpadUse {
  int64_t inp, wgt, acc;
};
ScratchpadUse scratchpad_use(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dTiling& tiling,
                             const isa::Config& config);
// Whether the VTA can do it so. Every virtual thread has an equal share of what is not resident; every piece of the
// input that is loaded holds more than the zeros around it.
bool fits(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dTiling& tiling, const isa::Config& config);

// Clock cycles. `limit`: give up beyond it, and say nothing.
std::optional<int64_t> estimate_cycles(const Conv2dShape& shape, const Epilogue& epilogue,
                                       const VtaConv2dTiling& tiling, const isa::Config& config,
                                       const TransferCost& memory, int64_t limit = INT64_MAX);

}  // namespace vantage::ops
