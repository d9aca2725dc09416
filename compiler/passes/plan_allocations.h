#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Puts every buffer that a function allocates around the smallest statement that holds all its uses, inside of loops
// where each iteration makes what it reads. Buffers that nothing uses disappear. Notes on blocks about what they write
// (notes.h) move to the allocation.
//
// Expects a scheduled function: blocks in loops, and a list of buffers to allocate. Leaves the same with an empty list
// and allocations as statements. It stands first because only blocks tell loops that carry a sum from one iteration to
// the next from those that do not, and because every other pass reads from an allocation how long its buffer lives.
ir::PrimFunc plan_allocations(ir::PrimFunc function);

}  // namespace vantage::passes
