#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::lower {

// Loops marked by Schedule::unroll become their iterations one after another, where their number is constant.
tir::PrimFunc unroll_loops(tir::PrimFunc function);

}  // namespace vantage::lower
