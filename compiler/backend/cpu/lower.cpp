#include "compiler/backend/cpu/lower.h"

#include "compiler/passes/align_storage.h"
#include "compiler/passes/bound_loops.h"
#include "compiler/passes/compact_buffers.h"
#include "compiler/passes/double_buffer.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/plan_allocations.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/unroll_loops.h"

namespace vantage::cpu {

const std::vector<passes::Pass>& pass_list() {
  static const std::vector<passes::Pass> kPasses = {
      {"plan_allocations", "buffers around what uses them", passes::plan_allocations},
      {"compact_buffers", "buffers as small as what is touched", passes::compact_buffers},
      {"align_storage", "strides that storage_align asks for", passes::align_storage},
      {"lower_blocks", "blocks to plain loops", passes::lower_blocks},
      {"simplify", "indices simplified, guards decided", passes::simplify},
      {"bound_loops", "guards to bounds of loops", passes::bound_loops},
      {"double_buffer", "several places, used in turn", passes::double_buffer},
      {"unroll_loops", "unrolled loops written out", passes::unroll_loops},
      {"simplify", "indices simplified again", passes::simplify},
  };
  return kPasses;
}

ir::PrimFunc lower(ir::PrimFunc scheduled, const passes::Observer& observer) {
  return passes::run_passes(std::move(scheduled), pass_list(), observer);
}

}  // namespace vantage::cpu
