#pragma once

#include "compiler/tir/prim_func.h"
#include "hw/spec/config.h"

namespace vantage::compiler {

// Every buffer becomes [elements][lanes], as the VTA sees it: its last two dimensions are one element (scopes.h), the
// others count elements. Throws Error when a buffer's last dimensions are no element of its memory, when a size is not
// constant, or when a buffer that is no parameter lies outside of the scratchpads.
tir::PrimFunc flatten_elements(tir::PrimFunc function, const spec::Config& config);

}  // namespace vantage::compiler
