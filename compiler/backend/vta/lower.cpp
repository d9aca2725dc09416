#include "compiler/backend/vta/lower.h"

#include "base/error.h"
#include "compiler/backend/vta/finishing/begin_in_slices.h"
#include "compiler/backend/vta/finishing/end_in_slices.h"
#include "compiler/backend/vta/finishing/epilogues_first.h"
#include "compiler/backend/vta/finishing/fill_waits.h"
#include "compiler/backend/vta/finishing/insert_tokens.h"
#include "compiler/backend/vta/finishing/load_in_order_of_use.h"
#include "compiler/backend/vta/finishing/load_vectors_in_pieces.h"
#include "compiler/backend/vta/finishing/merge_rows_apart.h"
#include "compiler/backend/vta/finishing/merge_transfers.h"
#include "compiler/backend/vta/finishing/place_micro_ops.h"
#include "compiler/backend/vta/finishing/remove_dead_loads.h"
#include "compiler/backend/vta/finishing/remove_repeated_loads.h"
#include "compiler/backend/vta/finishing/skip_zeros.h"
#include "compiler/backend/vta/passes/flatten_elements.h"
#include "compiler/backend/vta/passes/lower_alu.h"
#include "compiler/backend/vta/passes/lower_dma.h"
#include "compiler/backend/vta/passes/lower_gemm.h"
#include "compiler/backend/vta/passes/mark_turns.h"
#include "compiler/backend/vta/passes/place_scratchpads.h"
#include "compiler/backend/vta/passes/reuse_in_place.h"
#include "compiler/passes/bound_loops.h"
#include "compiler/passes/compact_buffers.h"
#include "compiler/passes/double_buffer.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/plan_allocations.h"
#include "compiler/passes/simplify.h"
#include "hw/program/verifier.h"

namespace vantage::vta {

std::vector<passes::Pass> pass_list(const isa::Config& config) {
  using ir::PrimFunc;
  return {
      {"plan_allocations", "buffers around what uses them", passes::plan_allocations},
      {"compact_buffers", "buffers as small as what is touched", passes::compact_buffers},
      {"lower_blocks", "blocks to plain loops", passes::lower_blocks},
      {"simplify", "indices simplified, guards decided", passes::simplify},
      {"bound_loops", "guards to bounds of loops", passes::bound_loops},
      {"flatten_elements", "buffers as elements and lanes",
       [config](PrimFunc f) { return flatten_elements(std::move(f), config); }},
      {"reuse_in_place", "accumulators updated in place", reuse_in_place},
      {"double_buffer", "several places, used in turn", passes::double_buffer},
      {"lower_dma", "copies to loads and stores", [config](PrimFunc f) { return lower_dma(std::move(f), config); }},
      {"lower_gemm", "loops around GEMMs to axes", lower_gemm},
      {"lower_alu", "formulas to ALU instructions", [config](PrimFunc f) { return lower_alu(std::move(f), config); }},
      {"mark_turns", "where virtual threads take turns", mark_turns},
      {"place_scratchpads", "places in the scratchpads",
       [config](PrimFunc f) { return place_scratchpads(std::move(f), config); }},
  };
}

namespace {

std::vector<FinishingPass> preparing_passes() {
  return {
      {"remove_repeated_loads", "loads of what still lies in its place dropped", remove_repeated_loads},
      {"remove_dead_loads", "loads of what is never read dropped", remove_dead_loads},
      {"epilogues_first", "epilogues before sums that wait for their reset, where the ALU is what takes longest",
       epilogues_first},
  };
}

std::vector<FinishingPass> loading_passes() {
  return {
      {"begin_in_slices", "the first sums and their loads in slices, where they can begin sooner", begin_in_slices},
      {"load_in_order_of_use", "loads just before what needs them", load_in_order_of_use},
      {"merge_transfers", "transfers that continue each other made one", merge_transfers},
      {"merge_rows_apart", "loads of rows a little apart made one, with zeros between", merge_rows_apart},
      {"load_vectors_in_pieces", "of biases that stay, each piece loaded before what takes it", load_vectors_in_pieces},
  };
}

std::vector<FinishingPass> ordering_passes() {
  return {
      {"fill_waits", "ALU instructions before the first sums that wait for their loads", fill_waits},
      {"end_in_slices", "the last results in slices, each stored while the next is made", end_in_slices},
      {"skip_zeros", "products with the zeros around images left out", skip_zeros},
      {"place_micro_ops", "places of micro-ops, and the loads that bring them", place_micro_ops},
      {"insert_tokens", "dependence tokens, and the end", insert_tokens},
  };
}

}  // namespace

std::vector<FinishingPass> finishing_passes() {
  std::vector<FinishingPass> all = preparing_passes();
  for (const auto& more : {loading_passes(), ordering_passes()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

Program finish(OperationList list, const passes::Observer& observer) {
  Program program = to_program(passes::run_passes(std::move(list), finishing_passes(), observer));
  check_tables(program, "program");
  return program;
}

OperationList prepared(OperationList list) {
  return passes::run_passes(std::move(list), preparing_passes());
}

OperationList with_loads(OperationList list) {
  return passes::run_passes(std::move(list), loading_passes());
}

Program finish_with_loads(OperationList list) {
  return to_program(passes::run_passes(std::move(list), ordering_passes()));
}

Program compile(const ir::PrimFunc& scheduled, const isa::Config& config, const passes::Observer& observer) {
  OperationList operations = emit(passes::run_passes(scheduled, pass_list(config), observer), config);
  if (observer) observer({kEmitStep, kEmitMeaning, [&] { return to_text(operations); }});
  return verified(finish(std::move(operations), observer), scheduled.name);
}

Program verified(Program program, std::string_view what) {
  const auto diagnostics = verify(program, {});
  if (has_errors(diagnostics)) {
    throw InternalError(fmt::format("the program made for {} is not legal:\n{}", what, to_text(diagnostics)));
  }
  return program;
}

}  // namespace vantage::vta
