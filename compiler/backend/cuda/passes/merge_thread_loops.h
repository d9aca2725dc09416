#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::cuda {

// Gives every kernel, which is an outermost loop bound to an index of blocks or threads with all inside it, one loop
// for each index, around all of it. What stood outside of an index' loops was meant to happen once: where it writes
// memory that others see, the first thread does it alone. Throws Error where loops with one index have different
// extents, where a kernel leaves anything in shared or local memory for another, and where a thread may read what
// another one wrote to memory of its own.
//
// Expects allocations as statements and no blocks. Leaves kernels that consist of such loops, those of blocks
// outermost, and a body without any. It stands behind lower_blocks, since what a block reads and writes must be seen,
// and before insert_barriers, which takes a kernel's body for what each of its threads does.
ir::PrimFunc merge_thread_loops(ir::PrimFunc function);

}  // namespace vantage::cuda
