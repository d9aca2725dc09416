#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::lower {

// Blocks become their bodies: axes are replaced by their bindings, predicates become conditions that are likely to
// hold, an initialisation runs where all reduce axes are at their beginning.
tir::PrimFunc lower_blocks(tir::PrimFunc function);

}  // namespace vantage::lower
