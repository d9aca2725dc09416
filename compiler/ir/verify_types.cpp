#include "compiler/ir/verify_types.h"

#include <cmath>

#include "base/error.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"

namespace vantage::ir {

namespace {

// The constructors know what is right: their Error, if they throw one.
template <typename Make>
std::string error_of(const Make& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// In the place of an operand: constructors would adapt a literal and carry out operations on it.
Var stand_in(const Expr& expr) {
  return Var(to_text(expr), expr.dtype());
}

std::string unexpected(const Expr& expr, DType expected) {
  if (expr.dtype() == expected) return {};
  return fmt::format("'{}' is of type {}, expected {}", to_text(expr), name(expr.dtype()), name(expected));
}

bool divides(BinaryOp op) {
  return op == BinaryOp::kFloorDiv || op == BinaryOp::kFloorMod || op == BinaryOp::kTruncDiv ||
         op == BinaryOp::kTruncMod;
}

std::string wrong_operation(const Expr& expr, const Binary& op) {
  const DType type = op.a.dtype();
  if (divides(op.op) && is_int(op.b, 0)) return fmt::format("'{}' divides by zero", to_text(expr));
  // What nearly all are, without further ado.
  const bool logic = op.op == BinaryOp::kAnd || op.op == BinaryOp::kOr;
  const bool index = counts(type) && op.b.dtype() == type && !logic && op.op != BinaryOp::kDiv;
  if (index && op.dtype == (is_comparison(op.op) ? kBool : type)) return {};
  std::string message;
  const std::string error =
      error_of([&] { message = unexpected(expr, make_binary(op.op, stand_in(op.a), stand_in(op.b)).dtype()); });
  return error.empty() ? message : error;
}

}  // namespace

std::string wrong_type(const Expr& expr) {
  const DType type = expr.dtype();
  switch (expr.kind()) {
    case ExprKind::kIntImm: return error_of([&] { make_int(type, expr.as<IntImm>()->value); });
    case ExprKind::kFloatImm: {
      const double value = expr.as<FloatImm>()->value;
      const std::string error = error_of([&] { make_float(type, value); });
      if (!error.empty() || std::isnan(value) || round_to(type, value) == value) return error;
      return fmt::format("{} is no {}, whose nearest value is {}", value, name(type), round_to(type, value));
    }
    case ExprKind::kCast: return error_of([&] { cast(type, expr.as<Cast>()->value); });
    case ExprKind::kNot: return error_of([&] { !stand_in(expr.as<Not>()->value); });
    case ExprKind::kSelect: {
      const auto* s = expr.as<Select>();
      if (s->condition.dtype().is_bool() && s->if_true.dtype() == s->if_false.dtype()) return {};
      return error_of([&] { if_then_else(stand_in(s->condition), stand_in(s->if_true), stand_in(s->if_false)); });
    }
    case ExprKind::kBinary: return wrong_operation(expr, *expr.as<Binary>());
    case ExprKind::kLoad: return error_of([&] { load(expr.as<Load>()->buffer, expr.as<Load>()->indices); });
    case ExprKind::kCall: {
      const auto* made = expr.as<Call>();
      if (is_extern(*made) && !made->dtype.is_void()) {
        return error_of([&] { call_pure_extern(made->dtype, made->function, made->arguments); });
      }
      if (find_intrinsic(made->function) == nullptr) return {};  // a target's, or for an effect
      std::string message;
      const std::string error =
          error_of([&] { message = unexpected(expr, call(made->function, made->arguments).dtype()); });
      return error.empty() ? message : error;
    }
    case ExprKind::kView:
      return error_of([&] {
        std::vector<Expr> ends;
        for (const Range& range : expr.as<View>()->box) ends.push_back(range.min + range.extent);
        load(expr.as<View>()->buffer, ends);
      });
    case ExprKind::kVar:
    case ExprKind::kStringImm: return {};
  }
  return {};
}

std::string wrong_type(const Store& s) {
  const bool fits = s.value.dtype() == s.buffer->dtype;
  return error_of([&] { store(s.buffer, s.indices, fits ? s.value : stand_in(s.value)); });
}

}  // namespace vantage::ir
