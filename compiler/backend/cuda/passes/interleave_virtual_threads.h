#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::cuda {

// Virtual threads become one thread that does the work of all of them side by side: their loops move inwards, around
// the statements in which they differ, and are unrolled there; what is the same in all of them is done once. So data
// that they share is fetched once, and each keeps its own values in registers. A buffer that is made inside of their
// loop and differs among them gets one more dimension, the first, with a place for each.
//
// Expects allocations as statements and no blocks, and iterations that may run in any order, as a schedule has them.
// Leaves no loop of virtual threads. It stands behind lower_blocks and before merge_thread_loops, which wants to see
// one loop for each index of threads.
ir::PrimFunc interleave_virtual_threads(ir::PrimFunc function);

}  // namespace vantage::cuda
