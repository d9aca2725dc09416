// The way from a scheduled function to the VTA's instructions. lower.cpp is its map: every step by name, in order.
#pragma once

#include "compiler/backend/vta/operations.h"
#include "compiler/passes/pass.h"
#include "hw/isa/config.h"
#include "hw/program/program.h"

namespace vantage::vta {

// The passes on the IR, in order. After the last one the function holds loops, conditions, allocations with their
// places, and the calls of calls.h.
std::vector<passes::Pass> pass_list(const isa::Config& config);

// The operations that a lowered function stands for: its loops run now, each call becomes instructions. Parameters
// become tensors of their names.
OperationList emit(const ir::PrimFunc& lowered, const isa::Config& config);

// The passes on operations, in order. Up to place_micro_ops each may be left out: it makes the program shorter or
// faster. The last two make it one that can run.
using FinishingPass = passes::PassOn<OperationList>;
std::vector<FinishingPass> finishing_passes();

// Runs the finishing passes.
Program finish(OperationList list, const passes::Observer& observer = nullptr);
// The same in three, for who weighs a list in several orders: no pass of prepared() looks at in_slices, which must stay
// as it is from with_loads() on, and none of both at fills_waits.
OperationList prepared(OperationList list);
OperationList with_loads(OperationList list);   // REQUIRES: prepared()
Program finish_with_loads(OperationList list);  // REQUIRES: with_loads(); without check_tables()

// The step between the two lists, as observers are shown it.
inline constexpr std::string_view kEmitStep = "emit";
inline constexpr std::string_view kEmitMeaning = "loops run, calls to operations";

// All of it. Every program is verified (hw/program/verifier.h) before it is returned; the observer sees what each pass
// and emit() left. Throws Error, naming the tensor, loop or block, for what the VTA cannot do or hold. The same
// function and configuration always give the same bytes.
Program compile(const ir::PrimFunc& scheduled, const isa::Config& config, const passes::Observer& observer = nullptr);
// The check at its end. `what` names the program in the error, which is ours.
Program verified(Program program, std::string_view what);

}  // namespace vantage::vta
