// Whether loops bring a block to all values of its axes, by going through their iterations.
#pragma once

#include <optional>
#include <vector>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// Loops, and axes that move with them and with no other loops; `conditions` are on these loops.
struct Moving {
  std::vector<const For*> loops;
  std::vector<const ir::Axis*> axes;
  std::vector<Expr> bindings;  // one per axis
  std::vector<Expr> conditions;
};

// Whether each combination of values in the axes' domains comes where the conditions hold; nothing where the bounds
// are not constant, there is too much to go through, or something else than these loops says it.
std::optional<bool> comes_to_all(const Moving& moving);

}  // namespace vantage::schedule
