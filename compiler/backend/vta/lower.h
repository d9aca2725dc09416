// The way from a scheduled function to the VTA's instructions.
#pragma once

#include "compiler/passes/pass.h"
#include "hw/isa/config.h"
#include "hw/program/program.h"

namespace vantage::vta {

// All passes, in order. After the last one the function holds loops, conditions, allocations with their places, and the
// calls of calls.h.
std::vector<passes::Pass> pass_list(const isa::Config& config);

// The program that a lowered function stands for: its loops run now, each call becomes instructions. Parameters become
// tensors of their names.
Program emit(const ir::PrimFunc& lowered, const isa::Config& config);

// Both. Every program is verified (hw/program/verifier.h) before it is returned. Throws Error, naming the tensor, loop
// or block, for what the VTA cannot do or hold. The same function and configuration always give the same bytes.
Program compile(const ir::PrimFunc& scheduled, const isa::Config& config, const passes::Observer& observer = nullptr);

}  // namespace vantage::vta
