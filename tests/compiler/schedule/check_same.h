// Whether a schedule has left what a function computes.
#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::test {

// Runs both on the same random numbers, the second one also with its buffers allocated and its blocks lowered; a
// failed CHECK where a result differs, or where a function is not valid.
void check_same(const ir::PrimFunc& original, const ir::PrimFunc& changed);

}  // namespace vantage::test
