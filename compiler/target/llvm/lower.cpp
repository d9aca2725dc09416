#include "compiler/target/llvm/lower.h"

#include "compiler/lower/align_storage.h"
#include "compiler/lower/bound_loops.h"
#include "compiler/lower/compact_buffers.h"
#include "compiler/lower/double_buffer.h"
#include "compiler/lower/lower_blocks.h"
#include "compiler/lower/plan_allocations.h"
#include "compiler/lower/simplify.h"
#include "compiler/lower/unroll_loops.h"

namespace vantage::compiler {

const std::vector<lower::Pass>& cpu_passes() {
  static const std::vector<lower::Pass> kPasses = {
      {"plan_allocations", "buffers around what uses them", lower::plan_allocations},
      {"compact_buffers", "buffers as small as what is touched", lower::compact_buffers},
      {"align_storage", "strides that storage_align asks for", lower::align_storage},
      {"lower_blocks", "blocks to plain loops", lower::lower_blocks},
      {"simplify", "indices simplified, guards decided", lower::simplify},
      {"bound_loops", "guards to bounds of loops", lower::bound_loops},
      {"double_buffer", "two places, used in turn", lower::double_buffer},
      {"unroll_loops", "unrolled loops written out", lower::unroll_loops},
      {"simplify", "indices simplified again", lower::simplify},
  };
  return kPasses;
}

tir::PrimFunc lower_for_cpu(tir::PrimFunc scheduled, const lower::Observer& observer) {
  return lower::run_passes(std::move(scheduled), cpu_passes(), observer);
}

}  // namespace vantage::compiler
