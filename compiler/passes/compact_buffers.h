#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Makes every allocated buffer as small as what is touched of it while it exists. A size that would change with the
// loops around takes its largest value.
//
// Expects allocations as statements; blocks may still stand, what they touch is seen through their bindings. Leaves
// buffers of other shapes, indices counted from where the smaller one begins. It stands behind plan_allocations, which
// says during which iterations a buffer exists, and before all that turns a shape into strides, elements or places.
ir::PrimFunc compact_buffers(ir::PrimFunc function);

}  // namespace vantage::passes
