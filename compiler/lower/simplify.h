#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::lower {

// Simpler index expressions; conditions that always or never hold are decided; loops of one iteration and what does
// nothing disappear.
tir::PrimFunc simplify(tir::PrimFunc function);

}  // namespace vantage::lower
