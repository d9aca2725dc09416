#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::cuda {

// Loops noted "pipeline_stages" fetch ahead: what their iterations bring to shared memory at first, and only then use,
// is brought so many less one iterations early, into as many places that are used in turn. Copies of these run beside
// the computation (copy_async of the device, from capability 8.0): an iteration waits for its own with wait_copies,
// which leaves the younger ones under way, and commit_copies ends what belongs to one iteration. In the IR both do
// nothing, as copies are made where they stand.
//
// Copies of boxes (take_box_copies.h) become those of a pipeline, which has a number: begin_arrivals stands before it
// and end_arrivals behind, and an iteration waits for its place by await_arrival. Where an iteration ends in products
// of warpgroups (order_products.h), these run into the next one, which waits for those before them alone: what is
// fetched leads by stages - 2 iterations then, and there are three stages at least.
//
// Throws Error, naming the loop, for fewer than two stages, for a loop that is not run in order, and where nothing is
// fetched in front.
//
// Expects kernels as merge_thread_loops leaves them, box copies taken and products in order, allocations directly in
// the loop's body; copies of boxes in no loop inside of that, and under no condition but that of being one thread.
// Leaves no such note. It stands before insert_barriers, which sees places that differ, and so finds the barrier behind
// each wait enough.
ir::PrimFunc pipeline_copies(ir::PrimFunc function);

// Loops of copies that may run beside what follows have this note.
inline constexpr std::string_view kAsyncNote = "async_copy";

}  // namespace vantage::cuda
