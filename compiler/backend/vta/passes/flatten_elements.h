#pragma once

#include "compiler/ir/prim_func.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// Every buffer becomes [elements][lanes], as the VTA sees it: its last two dimensions are one element (scopes.h), the
// others count elements. Throws Error when a buffer's last dimensions are no element of its memory, when a size is not
// constant, or when a buffer that is no parameter lies outside of the scratchpads.
ir::PrimFunc flatten_elements(ir::PrimFunc function, const isa::Config& config);

}  // namespace vantage::vta
