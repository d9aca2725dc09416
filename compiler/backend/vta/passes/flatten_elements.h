#pragma once

#include "compiler/ir/prim_func.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// Every buffer becomes [elements][lanes], as the VTA sees it: its last two dimensions are one element (scopes.h), the
// others count elements. Throws Error when a buffer's last dimensions are no element of its memory, when a size is not
// constant, or when a buffer that is no parameter lies outside of the scratchpads.
//
// Expects loops, conditions and allocations without blocks, buffers in the shapes of the schedule. Leaves the same
// with two indices everywhere, an element and a lane; this is the form that all passes behind it count on. It stands
// behind the passes that know nothing of elements, compact_buffers among them, which needs the dimensions apart, and
// before the first that counts in elements.
ir::PrimFunc flatten_elements(ir::PrimFunc function, const isa::Config& config);

}  // namespace vantage::vta
