// The way from a scheduled function to the VTA's instructions.
#pragma once

#include "compiler/lower/pass.h"
#include "hw/spec/config.h"
#include "hw/spec/program.h"

namespace vantage::compiler {

// All passes, in order. After the last one the function holds loops, conditions, allocations with their places, and the
// calls of calls.h.
std::vector<lower::Pass> vta_passes(const spec::Config& config);

// The program that a lowered function stands for: its loops run now, each call becomes instructions. Parameters become
// tensors of their names.
Program emit(const tir::PrimFunc& lowered, const spec::Config& config);

// Both. Every program is verified (hw/spec/verifier.h) before it is returned. Throws Error, naming the tensor, loop or
// block, for what the VTA cannot do or hold. The same function and configuration always give the same bytes.
Program compile(const tir::PrimFunc& scheduled, const spec::Config& config, const lower::Observer& observer = nullptr);

}  // namespace vantage::compiler
