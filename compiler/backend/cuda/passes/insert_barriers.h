#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::cuda {

// Lets the threads of a block wait for each other (storage_sync) wherever one may touch an element of memory that they
// share behind another one that touches it, and at least one of the two writes. Barriers that stand already count.
// Throws Error, naming the buffer, for what no barrier can order: two threads in one statement or in what only some
// threads run, two that update one element, and two blocks. So what this pass leaves is free of races, as far as its
// indices say: where two accesses are not known to differ they are taken for the same.
//
// Expects kernels as merge_thread_loops leaves them. It stands before bound_loops and unroll_loops, which make loops
// that threads leave at different times or that are no longer seen as such.
ir::PrimFunc insert_barriers(ir::PrimFunc function);

}  // namespace vantage::cuda
