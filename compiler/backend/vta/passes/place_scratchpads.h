#pragma once

#include <string_view>

#include "compiler/ir/prim_func.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// Notes of an allocation: the buffer's first element in its scratchpad, and how much further it lies for each next
// virtual thread.
inline constexpr std::string_view kBaseNote = "vta.base";
inline constexpr std::string_view kThreadStepNote = "vta.thread_step";

// Gives every buffer its place in its scratchpad. Buffers inside virtual threads get an equal share each of what those
// outside leave. Throws Error when one does not fit: which, how much it needs, what there is.
//
// Expects allocations of [elements][lanes] buffers, in the size that they have in the end. Leaves the notes above on
// every allocation, from which emit() takes the addresses. It stands last on the IR: buffers that get more places, are
// merged or gone would change the places of those behind them.
ir::PrimFunc place_scratchpads(ir::PrimFunc function, const isa::Config& config);

}  // namespace vantage::vta
