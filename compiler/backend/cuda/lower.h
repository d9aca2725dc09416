// From scheduled functions to kernels: what each thread of a GPU does. The result is run by the interpreter as threads.
#pragma once

#include "compiler/ir/prim_func.h"
#include "compiler/passes/pass.h"

namespace vantage::cuda {

const std::vector<passes::Pass>& pass_list();

// Throws Error for a schedule that means nothing on a GPU (merge_thread_loops.h, insert_barriers.h), or has memory that
// none has.
ir::PrimFunc lower(ir::PrimFunc scheduled, const passes::Observer& observer = nullptr);

}  // namespace vantage::cuda
