// Loops around one block that makes the elements of a tensor, each on its own.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// An axis for each dimension of the shape, from 0 on; `body` makes the element at these indices.
Stmt spatial_nest(const std::string& name, const std::vector<Expr>& shape,
                  const std::function<Stmt(const std::vector<Expr>& indices)>& body);

}  // namespace vantage::schedule
