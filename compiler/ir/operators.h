// How operations are written: what printing and parsing share.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/ir/expr.h"

namespace vantage::ir {

// How tightly an operation binds, as in Python; larger binds tighter.
enum Level : int {
  kLowest,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kAtom
};

struct Operator {
  std::string_view symbol;
  Level level;  // kAtom: written as a call
};

Operator describe(BinaryOp op);
// The operation that is written so; nothing when there is none.
std::optional<BinaryOp> operation(std::string_view symbol);

}  // namespace vantage::ir
