#include "tests/compiler/ir/evaluate.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "compiler/ir/printer.h"

namespace vantage::test {

using namespace ir;

std::optional<int64_t> evaluate(const Expr& expr, const Assignment& values) {
  switch (expr.kind()) {
    case ExprKind::kIntImm: return expr.as<IntImm>()->value;
    case ExprKind::kVar: {
      const auto found = values.find(expr.as<VarNode>());
      if (found == values.end()) fail("'{}' has no value here", ir::to_text(expr));
      return found->second;
    }
    case ExprKind::kNot: {
      const auto value = evaluate(expr.as<Not>()->value, values);
      return value ? std::optional<int64_t>(*value == 0) : std::nullopt;
    }
    case ExprKind::kCast: {
      const auto value = evaluate(expr.as<Cast>()->value, values);
      return value ? std::optional<int64_t>(wrap(expr.dtype(), *value)) : std::nullopt;
    }
    case ExprKind::kSelect: {
      const auto* select = expr.as<Select>();
      const auto condition = evaluate(select->condition, values);
      if (!condition) return {};
      return evaluate(*condition != 0 ? select->if_true : select->if_false, values);
    }
    case ExprKind::kCall:
      if (expr.as<Call>()->function != "likely") break;
      return evaluate(expr.as<Call>()->arguments.at(0), values);
    case ExprKind::kBinary: {
      const auto* op = expr.as<Binary>();
      const auto a = evaluate(op->a, values);
      if (!a) return {};
      if (op->op == BinaryOp::kAnd && *a == 0) return 0;
      if (op->op == BinaryOp::kOr && *a != 0) return 1;
      const auto b = evaluate(op->b, values);
      int64_t result = 0;
      if (!b || !evaluate_int(op->op, op->a.dtype(), *a, *b, &result)) return {};
      return result;
    }
    default: break;
  }
  fail("'{}' is no integer expression", ir::to_text(expr));
}

std::string to_text(const Assignment& values) {
  std::vector<std::string> parts;
  for (const auto& [var, value] : values) parts.push_back(fmt::format("{} = {}", var->name, value));
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace vantage::test
