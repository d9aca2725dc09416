// The value of an integer expression for given variables, straight from the definition of its operations.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "compiler/ir/expr.h"

namespace vantage::test {

using Assignment = std::map<const ir::VarNode*, int64_t>;

// Nothing where the value is undefined: a division by zero that is evaluated.
std::optional<int64_t> evaluate(const ir::Expr& expr, const Assignment& values);

// "i = 3, n = 4", by name.
std::string to_text(const Assignment& values);

}  // namespace vantage::test
