// What a sum adds up, scaled: products that are rounded before they are added.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/ir/expr.h"

namespace vantage::ir {

// Whether an expression is the product of something and one number, a literal or a buffer's only element in global
// memory. A sum of those is no product of vectors or matrices: what it adds are values that stand for others by a
// scale, as quantized files write them, which round each of them. A back end that fuses products with the sums that
// they are added to leaves these out.
bool is_scaled(const Expr& expr);

}  // namespace vantage::ir
