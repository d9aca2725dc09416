#include "compiler/schedule/primitives/coverage.h"

#include <algorithm>
#include <map>

namespace vantage::schedule {

namespace {

// Iterations, and combinations of values.
constexpr int64_t kMost = 1 << 16;

// Rounded down; `b` is positive.
int64_t quotient(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

using Values = std::map<const ir::VarNode*, int64_t>;

std::optional<int64_t> value_of(const Expr& expr, const Values& values) {
  if (const int64_t* number = ir::as_int(expr)) return *number;
  if (const auto* var = expr.as<ir::VarNode>()) {
    const auto found = values.find(var);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  const auto* op = expr.as<ir::Binary>();
  if (op == nullptr || !(op->a.dtype().is_signed() || op->a.dtype() == ir::kBool)) return std::nullopt;
  const auto left = value_of(op->a, values), right = value_of(op->b, values);
  if (!left || !right) return std::nullopt;
  const int64_t a = *left, b = *right;
  switch (op->op) {
    case ir::BinaryOp::kAdd: return a + b;
    case ir::BinaryOp::kSub: return a - b;
    case ir::BinaryOp::kMul: return a * b;
    case ir::BinaryOp::kMin: return std::min(a, b);
    case ir::BinaryOp::kMax: return std::max(a, b);
    case ir::BinaryOp::kFloorDiv: return b > 0 ? std::optional(quotient(a, b)) : std::nullopt;
    case ir::BinaryOp::kFloorMod: return b > 0 ? std::optional(a - quotient(a, b) * b) : std::nullopt;
    case ir::BinaryOp::kLt: return a < b;
    case ir::BinaryOp::kLe: return a <= b;
    case ir::BinaryOp::kGt: return a > b;
    case ir::BinaryOp::kGe: return a >= b;
    case ir::BinaryOp::kEq: return a == b;
    case ir::BinaryOp::kNe: return a != b;
    case ir::BinaryOp::kAnd: return a != 0 && b != 0;
    case ir::BinaryOp::kOr: return a != 0 || b != 0;
    default: return std::nullopt;
  }
}

// Goes through the loops from one on, and marks the combinations that come.
bool visit(const Moving& moving, size_t loop, Values& values, int64_t& left, std::vector<bool>& comes) {
  if (loop < moving.loops.size()) {
    const For& node = *moving.loops[loop];
    const auto first = value_of(node.min, values), count = value_of(node.extent, values);
    if (!first || !count) return false;
    for (int64_t i = 0; i < *count; ++i) {
      values[node.var.get()] = *first + i;
      if (!visit(moving, loop + 1, values, left, comes)) return false;
    }
    return true;
  }
  if (--left < 0) return false;
  for (const Expr& condition : moving.conditions) {
    const auto holds = value_of(condition, values);
    if (!holds) return false;
    if (*holds == 0) return true;
  }
  int64_t at = 0;
  for (size_t i = 0; i < moving.axes.size(); ++i) {
    const auto value = value_of(moving.bindings[i], values);
    if (!value) return false;
    const int64_t place = *value - *ir::as_int(moving.axes[i]->domain.min);
    const int64_t extent = *ir::as_int(moving.axes[i]->domain.extent);
    if (place < 0 || place >= extent) return true;
    at = at * extent + place;
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
  Values values;
  int64_t left = kMost;
  if (!visit(moving, 0, values, left, comes)) return std::nullopt;
  return std::find(comes.begin(), comes.end(), false) == comes.end();
}

}  // namespace vantage::schedule
