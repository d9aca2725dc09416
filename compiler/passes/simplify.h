#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Simpler index expressions; conditions that always or never hold are decided; loops of one iteration and what does
// nothing disappear.
ir::PrimFunc simplify(ir::PrimFunc function);

}  // namespace vantage::passes
