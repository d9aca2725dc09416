#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Buffers noted "double_buffer" get two places, which the iterations of the loop around them use in turn: one
// iteration's values may still be read while the next one makes its own. Without a loop of one iteration after another
// directly around, the note means nothing.
ir::PrimFunc double_buffer(ir::PrimFunc function);

}  // namespace vantage::passes
