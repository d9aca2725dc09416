#include "compiler/schedule/primitives/coverage.h"

#include <algorithm>

#include "compiler/ir/arith/known_value.h"

namespace vantage::schedule {

namespace {

// Iterations of all loops together, and combinations of values.
constexpr int64_t kMost = 1 << 16;

// Goes through the loops from one on, and marks the combinations that come.
bool visit(const Moving& moving, size_t loop, ir::VarValues& values, int64_t& left, std::vector<bool>& comes) {
  if (loop < moving.loops.size()) {
    const For& node = *moving.loops[loop];
    const auto first = ir::known_value(node.min, values), count = ir::known_value(node.extent, values);
    if (!first || !count) return false;
    for (int64_t i = 0; i < *count; ++i) {
      if (--left < 0) return false;
      values[node.var.get()] = *first + i;
      if (!visit(moving, loop + 1, values, left, comes)) return false;
    }
    return true;
  }
  for (const Expr& condition : moving.conditions) {
    const auto holds = ir::known_value(condition, values);
    if (!holds) return false;
    if (*holds == 0) return true;
  }
  int64_t at = 0;
  for (size_t i = 0; i < moving.axes.size(); ++i) {
    const auto value = ir::known_value(moving.bindings[i], values);
    if (!value) return false;
    const int64_t min = *ir::as_int(moving.axes[i]->domain.min);
    const int64_t extent = *ir::as_int(moving.axes[i]->domain.extent);
    if (*value < min || *value >= min + extent) return true;
    at = at * extent + (*value - min);
  }
  comes[static_cast<size_t>(at)] = true;
  return true;
}

}  // namespace

std::optional<bool> comes_to_all(const Moving& moving) {
  int64_t combinations = 1;
  for (const ir::Axis* axis : moving.axes) {
    const int64_t* extent = ir::as_int(axis->domain.extent);
    if (extent == nullptr || ir::as_int(axis->domain.min) == nullptr || *extent < 1 || *extent > kMost) {
      return std::nullopt;
    }
    combinations *= *extent;
    if (combinations > kMost) return std::nullopt;
  }
  std::vector<bool> comes(static_cast<size_t>(combinations), false);
  ir::VarValues values;
  int64_t left = kMost;
  if (!visit(moving, 0, values, left, comes)) return std::nullopt;
  return std::find(comes.begin(), comes.end(), false) == comes.end();
}

}  // namespace vantage::schedule
