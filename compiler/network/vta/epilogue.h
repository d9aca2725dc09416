// What a function does behind a layer's sums: from the cast of its results back to the sums themselves.
//
// Thread safety: functions without state.
#pragma once

#include <optional>
#include <utility>

#include "compiler/network/vta/conv.h"

namespace vantage::network {

// Notes in `layer` the limits, the shifts, the multipliers, the addend and the bias of it as far as they go, and gives
// the value of the sums. Throws Error that says what of it the ALU cannot do.
graph::Value read_epilogue(const FunctionReader& function, const isa::Config& config, VtaConv& layer);

// An activation as int32, times a constant, as the ALU multiplies: the activation in tiles and the number.
std::optional<std::pair<graph::Value, int64_t>> scaled_activation(const FunctionReader& function, graph::Value value);

}  // namespace vantage::network
