#pragma once

#include <string_view>

#include "compiler/tir/prim_func.h"
#include "hw/spec/config.h"

namespace vantage::compiler {

// Notes of an allocation: the buffer's first element in its scratchpad, and how much further it lies for each next
// virtual thread.
inline constexpr std::string_view kBaseNote = "vta.base";
inline constexpr std::string_view kThreadStepNote = "vta.thread_step";

// Gives every buffer its place in its scratchpad. Buffers inside virtual threads get an equal share each of what those
// outside leave. Throws Error when one does not fit: which, how much it needs, what there is.
tir::PrimFunc place_scratchpads(tir::PrimFunc function, const spec::Config& config);

}  // namespace vantage::compiler
