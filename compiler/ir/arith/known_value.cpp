#include "compiler/ir/arith/known_value.h"

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/intrinsics.h"

namespace vantage::ir {

std::optional<int64_t> known_value(const Expr& expr, const VarValues& values) {
  using Known = std::optional<int64_t>;
  switch (expr.kind()) {
    case ExprKind::kIntImm: return expr.as<IntImm>()->value;
    case ExprKind::kVar: {
      const auto found = values.find(expr.as<VarNode>());
      return found == values.end() ? Known() : found->second;
    }
    case ExprKind::kNot: {
      const Known value = known_value(expr.as<Not>()->value, values);
      return value ? Known(*value == 0 ? 1 : 0) : Known();
    }
    case ExprKind::kCast: {
      const Known value = known_value(expr.as<Cast>()->value, values);
      return value && !expr.dtype().is_float() ? Known(wrap(expr.dtype(), *value)) : Known();
    }
    case ExprKind::kSelect: {
      const auto* select = expr.as<Select>();
      const Known condition = known_value(select->condition, values);
      return condition ? known_value(*condition != 0 ? select->if_true : select->if_false, values) : Known();
    }
    case ExprKind::kCall: {
      const auto* call = expr.as<Call>();
      return call->function == kLikely ? known_value(call->arguments[0], values) : Known();
    }
    case ExprKind::kBinary: {
      const auto* op = expr.as<Binary>();
      const Known a = known_value(op->a, values), b = known_value(op->b, values);
      // One side may decide although the other is unknown.
      if (op->op == BinaryOp::kAnd && ((a && *a == 0) || (b && *b == 0))) return 0;
      if (op->op == BinaryOp::kOr && ((a && *a != 0) || (b && *b != 0))) return 1;
      int64_t result = 0;
      const DType type = counts(op->a.dtype()) ? kInt64 : op->a.dtype();
      const bool known = a && b && op->op != BinaryOp::kDiv && evaluate_int(op->op, type, *a, *b, &result);
      return known ? Known(result) : Known();
    }
    default: return {};
  }
}

}  // namespace vantage::ir
