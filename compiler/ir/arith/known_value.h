// The value of an integer expression whose variables have values.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "compiler/ir/expr.h"

namespace vantage::ir {

using VarValues = std::unordered_map<const VarNode*, int64_t>;

// Nothing where the value depends on memory, on a float, on a function but `likely`, or on a variable that has none.
// Indices are taken not to overflow (analyzer.h); other integers wrap at their width.
std::optional<int64_t> known_value(const Expr& expr, const VarValues& values);

}  // namespace vantage::ir
