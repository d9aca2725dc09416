#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Blocks become their bodies: axes are replaced by their bindings, predicates become conditions that are likely to
// hold, an initialisation runs where all reduce axes are at their beginning.
ir::PrimFunc lower_blocks(ir::PrimFunc function);

}  // namespace vantage::passes
