// The way from a scheduled function to one that code can be generated from.
#pragma once

#include "compiler/lower/pass.h"

namespace vantage::compiler {

// All passes, in order. After the last one the function holds loops, conditions and allocations, and its indices are
// simple.
const std::vector<lower::Pass>& cpu_passes();

tir::PrimFunc lower_for_cpu(tir::PrimFunc scheduled, const lower::Observer& observer = nullptr);

}  // namespace vantage::compiler
