#include "compiler/target/vta/lower.h"

#include "compiler/lower/bound_loops.h"
#include "compiler/lower/compact_buffers.h"
#include "compiler/lower/double_buffer.h"
#include "compiler/lower/lower_blocks.h"
#include "compiler/lower/plan_allocations.h"
#include "compiler/lower/simplify.h"
#include "compiler/target/vta/passes/flatten_elements.h"
#include "compiler/target/vta/passes/lower_alu.h"
#include "compiler/target/vta/passes/lower_dma.h"
#include "compiler/target/vta/passes/lower_gemm.h"
#include "compiler/target/vta/passes/mark_turns.h"
#include "compiler/target/vta/passes/place_scratchpads.h"
#include "compiler/target/vta/passes/reuse_in_place.h"
#include "hw/spec/error.h"
#include "hw/spec/verifier.h"

namespace vantage::compiler {

std::vector<lower::Pass> vta_passes(const spec::Config& config) {
  using tir::PrimFunc;
  return {
      {"plan_allocations", "buffers around what uses them", lower::plan_allocations},
      {"compact_buffers", "buffers as small as what is touched", lower::compact_buffers},
      {"lower_blocks", "blocks to plain loops", lower::lower_blocks},
      {"simplify", "indices simplified, guards decided", lower::simplify},
      {"bound_loops", "guards to bounds of loops", lower::bound_loops},
      {"flatten_elements", "buffers as elements and lanes",
       [config](PrimFunc f) { return flatten_elements(std::move(f), config); }},
      {"reuse_in_place", "accumulators updated in place", reuse_in_place},
      {"double_buffer", "two places, used in turn", lower::double_buffer},
      {"lower_dma", "copies to loads and stores", [config](PrimFunc f) { return lower_dma(std::move(f), config); }},
      {"lower_gemm", "loops around GEMMs to axes", lower_gemm},
      {"lower_alu", "formulas to ALU instructions", [config](PrimFunc f) { return lower_alu(std::move(f), config); }},
      {"mark_turns", "where virtual threads take turns", mark_turns},
      {"place_scratchpads", "places in the scratchpads",
       [config](PrimFunc f) { return place_scratchpads(std::move(f), config); }},
  };
}

Program compile(const tir::PrimFunc& scheduled, const spec::Config& config, const lower::Observer& observer) {
  Program program = emit(lower::run_passes(scheduled, vta_passes(config), observer), config);
  const auto diagnostics = verify(program, {});
  if (has_errors(diagnostics)) {
    throw InternalError(fmt::format("the program made for {} is not legal:\n{}", scheduled.name, to_text(diagnostics)));
  }
  return program;
}

}  // namespace vantage::compiler
