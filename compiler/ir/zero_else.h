// Choices between a value and zero, as paddings are.
//
// Thread safety: a function without state.
#pragma once

#include "compiler/ir/expr.h"

namespace vantage::ir {

// The choice that an expression is, where it is zero otherwise: if_then_else(condition, value, 0); else null.
const Select* zero_else(const Expr& expr);

}  // namespace vantage::ir
