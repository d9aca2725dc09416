// The list of all operators.
//
// Thread safety: functions without state; the list never changes.
#pragma once

#include <span>
#include <string_view>

#include "compiler/ops/operator.h"

namespace vantage::ops {

// By kind: of single elements first, then what moves, folds, and multiplies.
std::span<const Operator> operators();

// Throws Error for a name that none has, with those that are near.
const Operator& find_operator(std::string_view name);

}  // namespace vantage::ops
