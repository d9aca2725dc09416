// How long a tiling takes, from a model of the core's pipelines at the grain of tiles: which loads, GEMMs, ALU
// instructions and stores wait for which. docs/hardware.md has the rules that it follows.
#pragma once

#include <optional>

#include "base/shape/conv2d.h"
#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/epilogue.h"
#include "compiler/ops/transfer_cost.h"

namespace vantage::ops {

// Clock cycles. `limit`: give up beyond it, and say nothing.
std::optional<int64_t> estimate_cycles(const Conv2dShape& shape, const Epilogue& epilogue,
                                       const VtaConv2dTiling& tiling, const isa::Config& config,
                                       const TransferCost& memory, int64_t limit = INT64_MAX);

}  // namespace vantage::ops
