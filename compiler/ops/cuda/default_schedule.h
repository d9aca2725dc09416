// A schedule for GPUs for whatever has none of its own.
//
// Thread safety: a function without state.
#pragma once

#include "compiler/backend/cuda/architecture.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Formulas that are read once move into what reads them. Products are made in tiles from shared memory
// (product_schedule.h); a long reduction is folded by a block of threads, together with the formula of the same rows
// that reads it (fold_schedule.h); transposes go by way of shared memory (transpose_schedule.h); all else has a thread
// for each element (element_schedule.h). Every rule is tried first, and gives way where what it makes is no kernel of
// this architecture; what none can schedule is done by a single thread, which is slow and right. Sums of floats are
// added in another order.
//
// The result is one that cuda::lower takes.
schedule::Schedule schedule_for_gpu(ir::PrimFunc function, const cuda::Architecture& architecture);

}  // namespace vantage::ops
