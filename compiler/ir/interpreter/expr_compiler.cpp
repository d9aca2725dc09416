#include "compiler/ir/interpreter/expr_compiler.h"

#include "base/error.h"
#include "compiler/ir/printer.h"

namespace vantage::ir::interpreter {

std::optional<int32_t> ExprCompiler::leaf(const Expr& expr) {
  if (const auto* i = expr.as<IntImm>()) return out_.constant({.i = i->value});
  if (const auto* f = expr.as<FloatImm>()) return out_.constant({.f = f->value});
  if (const auto* var = expr.as<VarNode>()) {
    const int32_t* known = out_.find(var);
    if (known == nullptr) fail("the variable {} is used where nothing gives it a value", var->name);
    return *known;
  }
  return std::nullopt;
}

int32_t ExprCompiler::value(const Expr& expr) {
  VANTAGE_CHECK(expr.defined());
  if (const auto known = leaf(expr)) return *known;
  const int32_t result = out_.take_registers();
  into(result, expr);
  return result;
}

std::vector<int32_t> ExprCompiler::values(const std::vector<Expr>& exprs) {
  std::vector<int32_t> result;
  for (const Expr& expr : exprs) result.push_back(value(expr));
  return result;
}

int32_t ExprCompiler::memory(const Buffer& buffer) const {
  const int32_t* known = out_.find(buffer.get());
  if (known == nullptr) fail("the buffer {} is used where it is neither a parameter nor allocated", buffer->name);
  return *known;
}

void ExprCompiler::into(int32_t dst, const Expr& expr) {
  if (const auto known = leaf(expr)) {
    out_.emit({.op = Op::kMove, .dst = dst, .a = *known});
    return;
  }
  const Assembler::Frame frame(out_);
  switch (expr.kind()) {
    case ExprKind::kCast: {
      const Expr& operand = expr.as<Cast>()->value;
      out_.emit({.op = Op::kConvert, .dtype = expr.dtype(), .from = operand.dtype(), .dst = dst, .a = value(operand)});
      return;
    }
    case ExprKind::kNot: out_.emit({.op = Op::kNot, .dst = dst, .a = value(expr.as<Not>()->value)}); return;
    case ExprKind::kBinary: return binary(dst, expr);
    case ExprKind::kSelect: return select(dst, *expr.as<Select>());
    case ExprKind::kLoad: {
      const auto* load = expr.as<Load>();
      VANTAGE_CHECK(load->indices.size() == load->buffer->rank());
      const int32_t from = memory(load->buffer);
      const int32_t indices = out_.list(values(load->indices));
      out_.emit({.op = Op::kLoad, .dst = dst, .memory = from, .list = indices, .note = out_.quote(expr)});
      return;
    }
    case ExprKind::kCall: return call(dst, *expr.as<Call>());
    case ExprKind::kStringImm:
    case ExprKind::kView: fail("{} is no value; only an argument of a call may be one", to_text(expr));
    case ExprKind::kIntImm:
    case ExprKind::kFloatImm:
    case ExprKind::kVar: break;
  }
  internal_check_failed("an expression", __FILE__, __LINE__);
}

void ExprCompiler::binary(int32_t dst, const Expr& expr) {
  const auto* node = expr.as<Binary>();
  if (node->op == BinaryOp::kAnd || node->op == BinaryOp::kOr) return logic(dst, *node);
  const DType type = node->a.dtype();
  const int32_t a = value(node->a);
  const int32_t b = value(node->b);
  Op op = Op::kInt;
  if (type.is_float()) op = is_comparison(node->op) ? Op::kFloatCompare : Op::kFloat;
  out_.emit({.op = op, .binary = node->op, .dtype = type, .dst = dst, .a = a, .b = b, .note = out_.quote(expr)});
}

void ExprCompiler::logic(int32_t dst, const Binary& node) {
  into(dst, node.a);
  const Op decided = node.op == BinaryOp::kAnd ? Op::kJumpIfFalse : Op::kJumpIfTrue;
  const int32_t jump = out_.emit({.op = decided, .a = dst});
  into(dst, node.b);
  out_.land(jump);
}

void ExprCompiler::select(int32_t dst, const Select& node) {
  const int32_t to_false = out_.emit({.op = Op::kJumpIfFalse, .a = value(node.condition)});
  into(dst, node.if_true);
  const int32_t to_end = out_.emit({.op = Op::kJump});
  out_.land(to_false);
  into(dst, node.if_false);
  out_.land(to_end);
}

void ExprCompiler::effect(const Expr& expr) {
  const auto* node = expr.as<Call>();
  VANTAGE_CHECK(node != nullptr);
  const Assembler::Frame frame(out_);
  call(out_.take_registers(), *node);
}

void ExprCompiler::call(int32_t dst, const Call& node) {
  if (const Intrinsic* known = find_intrinsic(node.function)) return intrinsic(dst, node, *known);
  const auto found = externs_.find(node.function);
  if (found == externs_.end()) {
    fail("the function {} is neither an intrinsic nor among the interpreter's externs", node.function);
  }
  ExternUse use{node.function, &found->second, {}};
  for (const Expr& a : node.arguments) use.arguments.push_back(argument(a));
  out_.program.calls.push_back(std::move(use));
  const auto note = static_cast<int32_t>(out_.program.calls.size() - 1);
  out_.emit({.op = Op::kCall, .dtype = node.dtype, .dst = dst, .note = note});
}

CallArgument ExprCompiler::argument(const Expr& expr) {
  CallArgument result;
  if (const auto* text = expr.as<StringImm>()) {
    result.kind = CallArgument::Kind::kText;
    result.text = text->value;
  } else if (const auto* view = expr.as<View>()) {
    if (view->box.size() != view->buffer->rank()) {
      fail("{} has {} dimensions, but {} has {}", view->buffer->name, view->buffer->rank(), to_text(expr),
           view->box.size());
    }
    result.kind = CallArgument::Kind::kView;
    result.view = expr;
    result.memory = memory(view->buffer);
    for (const Range& range : view->box) result.box.push_back(value(range.min));
    for (const Range& range : view->box) result.box.push_back(value(range.extent));
  } else {
    result.kind = CallArgument::Kind::kScalar;
    result.dtype = expr.dtype();
    result.value = value(expr);
  }
  return result;
}

void ExprCompiler::intrinsic(int32_t dst, const Call& node, const Intrinsic& intrinsic) {
  if (node.arguments.size() != static_cast<size_t>(intrinsic.arity)) {
    fail("{} takes {} arguments, got {}", node.function, intrinsic.arity, node.arguments.size());
  }
  if (intrinsic.kind == IntrinsicKind::kBarrier) {
    out_.emit({.op = Op::kBarrier});
    return;
  }
  if (intrinsic.kind == IntrinsicKind::kHint) return into(dst, node.arguments[0]);
  const DType type = node.arguments[0].dtype();
  const auto operands = values(node.arguments);
  if (!type.is_float() && intrinsic.kind == IntrinsicKind::kAny) {
    VANTAGE_CHECK(node.function == "abs");
    out_.emit({.op = Op::kAbs, .dtype = type, .dst = dst, .a = operands[0]});
    return;
  }
  Op op = Op::kMath;
  if (intrinsic.kind == IntrinsicKind::kPredicate) op = Op::kPredicate;
  if (intrinsic.kind == IntrinsicKind::kBytes) op = Op::kBytes;
  out_.program.intrinsics.push_back(&intrinsic);
  const auto note = static_cast<int32_t>(out_.program.intrinsics.size() - 1);
  out_.emit({.op = op, .dtype = type, .dst = dst, .a = operands.front(), .b = operands.back(), .note = note});
}

}  // namespace vantage::ir::interpreter
