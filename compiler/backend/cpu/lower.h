// The way from a scheduled function to one that code can be generated from.
#pragma once

#include "compiler/passes/pass.h"

namespace vantage::cpu {

// All passes, in order. After the last one the function holds loops, conditions and allocations, and its indices are
// simple.
const std::vector<passes::Pass>& pass_list();

ir::PrimFunc lower(ir::PrimFunc scheduled, const passes::Observer& observer = nullptr);

}  // namespace vantage::cpu
