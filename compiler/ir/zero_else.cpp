#include "compiler/ir/zero_else.h"

#include "compiler/ir/structural.h"

namespace vantage::ir {

const Select* zero_else(const Expr& expr) {
  const auto* choice = expr.as<Select>();
  const bool is_zero = choice != nullptr && structural_equal(choice->if_false, make_zero(choice->if_false.dtype()));
  return is_zero ? choice : nullptr;
}

}  // namespace vantage::ir
