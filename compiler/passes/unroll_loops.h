#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Loops marked by Schedule::unroll become their iterations one after another, where their number is constant; others
// stay loops. Throws Error, naming the loops, where they would become more than kMostUnrolled statements
// (compiler/ir/unrolling.h).
//
// Expects loops and conditions without blocks. Leaves no such loop, its variable replaced by numbers. It stands behind
// bound_loops and double_buffer, which need the loop to bound it and to take turns by it, and directly before the last
// simplify, which works out what the numbers make constant.
ir::PrimFunc unroll_loops(ir::PrimFunc function);

}  // namespace vantage::passes
