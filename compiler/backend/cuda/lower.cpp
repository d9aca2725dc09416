#include "compiler/backend/cuda/lower.h"

#include "compiler/backend/cuda/passes/insert_barriers.h"
#include "compiler/backend/cuda/passes/interleave_virtual_threads.h"
#include "compiler/backend/cuda/passes/merge_thread_loops.h"
#include "compiler/backend/cuda/passes/order_products.h"
#include "compiler/backend/cuda/passes/pipeline_copies.h"
#include "compiler/backend/cuda/passes/take_box_copies.h"
#include "compiler/backend/cuda/register_loops.h"
#include "compiler/passes/align_storage.h"
#include "compiler/passes/bound_loops.h"
#include "compiler/passes/compact_buffers.h"
#include "compiler/passes/double_buffer.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/plan_allocations.h"
#include "compiler/passes/simplify.h"

namespace vantage::cuda {

namespace {

ir::PrimFunc bound_loops_but_registers(ir::PrimFunc function) {
  return passes::bound_loops_except(std::move(function), picks_registers);
}

}  // namespace

const std::vector<passes::Pass>& pass_list() {
  static const std::vector<passes::Pass> kPasses = {
      {"plan_allocations", "buffers around what uses them", passes::plan_allocations},
      {"compact_buffers", "buffers as small as what is touched", passes::compact_buffers},
      {"align_storage", "strides that storage_align asks for", passes::align_storage},
      {"lower_blocks", "blocks to plain loops", passes::lower_blocks},
      {"interleave_virtual_threads", "virtual threads side by side in one", interleave_virtual_threads},
      {"merge_thread_loops", "one loop for each index of threads, around all of a kernel", merge_thread_loops},
      {"simplify", "indices simplified, guards decided", passes::simplify},
      {"take_box_copies", "loops that fill swizzled memory to copies of boxes", take_box_copies},
      {"order_products", "products of warpgroups beside the threads", order_products},
      {"double_buffer", "several places, used in turn", passes::double_buffer},
      {"pipeline_copies", "fetches ahead of their use", pipeline_copies},
      {"insert_barriers", "threads wait for each other where they share elements", insert_barriers},
      {"bound_loops", "guards to bounds of loops", bound_loops_but_registers},
      {"simplify", "indices simplified again", passes::simplify},
  };
  return kPasses;
}

ir::PrimFunc lower(ir::PrimFunc scheduled, const passes::Observer& observer) {
  return passes::run_passes(std::move(scheduled), pass_list(), observer);
}

}  // namespace vantage::cuda
