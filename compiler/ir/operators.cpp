#include "compiler/ir/operators.h"

#include <algorithm>
#include <array>

namespace vantage::ir {

namespace {

// By BinaryOp.
constexpr std::array<Operator, 23> kTable = {{
    {"+", kSum},         {"-", kSum},         {"*", kProduct}, {"/", kProduct},  {"//", kProduct}, {"%", kProduct},
    {"truncdiv", kAtom}, {"truncmod", kAtom}, {"min", kAtom},  {"max", kAtom},   {"==", kCompare}, {"!=", kCompare},
    {"<", kCompare},     {"<=", kCompare},    {">", kCompare}, {">=", kCompare}, {"and", kAnd},    {"or", kOr},
    {"<<", kShift},      {">>", kShift},      {"&", kBitAnd},  {"|", kBitOr},    {"^", kBitXor},
}};

}  // namespace

Operator describe(BinaryOp op) {
  return kTable[static_cast<size_t>(op)];
}

std::optional<BinaryOp> operation(std::string_view symbol) {
  const auto row = std::find_if(kTable.begin(), kTable.end(), [&](const Operator& o) { return o.symbol == symbol; });
  return row == kTable.end() ? std::nullopt : std::optional(static_cast<BinaryOp>(row - kTable.begin()));
}

}  // namespace vantage::ir
