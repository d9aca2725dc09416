#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Loops marked by Schedule::unroll become their iterations one after another, where their number is constant.
ir::PrimFunc unroll_loops(ir::PrimFunc function);

}  // namespace vantage::passes
