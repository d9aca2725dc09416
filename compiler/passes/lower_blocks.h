#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Blocks become their bodies: axes are replaced by their bindings, predicates become conditions that are likely to
// hold, an initialisation runs where all reduce axes are at their beginning.
//
// Expects blocks in loops, allocations as statements. Leaves loops, conditions and stores without blocks, which is
// what all passes behind it and the back ends take. It stands behind the passes that ask blocks what they mean,
// plan_allocations above all, and before those that look for loops and conditions.
ir::PrimFunc lower_blocks(ir::PrimFunc function);

}  // namespace vantage::passes
