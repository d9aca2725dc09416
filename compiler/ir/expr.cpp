#include "compiler/ir/expr.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "compiler/ir/buffer.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"

namespace vantage::ir {

namespace {

bool is_logic(BinaryOp op) {
  return op == BinaryOp::kAnd || op == BinaryOp::kOr;
}

bool is_integer_only(BinaryOp op) {
  switch (op) {
    case BinaryOp::kFloorDiv:
    case BinaryOp::kFloorMod:
    case BinaryOp::kTruncDiv:
    case BinaryOp::kTruncMod:
    case BinaryOp::kShl:
    case BinaryOp::kShr:
    case BinaryOp::kBitAnd:
    case BinaryOp::kBitOr:
    case BinaryOp::kBitXor: return true;
    default: return false;
  }
}

bool is_literal(const Expr& e) {
  return e.kind() == ExprKind::kIntImm || e.kind() == ExprKind::kFloatImm;
}

// Whether a float type has a value next to `value`: no finite number becomes an infinity.
bool float_holds(DType dtype, double value) {
  return !std::isfinite(value) || std::isfinite(round_to(dtype, value));
}

// A literal follows the other operand's type.
void unify(Expr& a, Expr& b) {
  if (a.dtype() == b.dtype()) return;
  a = adapt_literal(a, b.dtype());
  if (a.dtype() != b.dtype()) b = adapt_literal(b, a.dtype());
}

// What a function takes, where its first argument is of type `first`.
std::string expected_by(IntrinsicKind kind, DType first) {
  switch (kind) {
    case IntrinsicKind::kMath:
    case IntrinsicKind::kPredicate:
      return first.is_float() ? fmt::format("{} like its first argument", name(first)) : "a float; cast it";
    case IntrinsicKind::kBytes: return "int32";
    case IntrinsicKind::kAny: return "an integer or a float";
    case IntrinsicKind::kHint: return "bool";
    case IntrinsicKind::kBarrier: return "a text";
  }
  return {};
}

// What 0, 1 and equal operands make of an operation; null when nothing.
Expr trivial(BinaryOp op, const Expr& a, const Expr& b) {
  const bool ints = a.dtype().is_int();
  switch (op) {
    case BinaryOp::kAdd:
      if (ints && is_int(a, 0)) return b;
      if (ints && is_int(b, 0)) return a;
      break;
    case BinaryOp::kSub:
      if (ints && is_int(b, 0)) return a;
      if (ints && a.same_as(b)) return make_zero(a.dtype());
      break;
    case BinaryOp::kMul:
      if (ints && (is_int(a, 0) || is_int(b, 1))) return a;
      if (ints && (is_int(b, 0) || is_int(a, 1))) return b;
      break;
    case BinaryOp::kFloorDiv:
    case BinaryOp::kTruncDiv:
      if (is_int(b, 1)) return a;
      break;
    case BinaryOp::kFloorMod:
    case BinaryOp::kTruncMod:
      if (is_int(b, 1)) return make_zero(a.dtype());
      break;
    case BinaryOp::kMin:
    case BinaryOp::kMax:
      if (a.same_as(b)) return a;
      break;
    case BinaryOp::kAnd:
      if (is_int(a, 1)) return b;
      if (is_int(b, 1) || is_int(a, 0)) return a;
      if (is_int(b, 0)) return b;
      break;
    case BinaryOp::kOr:
      if (is_int(a, 0)) return b;
      if (is_int(b, 0) || is_int(a, 1)) return a;
      if (is_int(b, 1)) return b;
      break;
    default: break;
  }
  return {};
}

// The literals of one type from kFirst on.
class SmallLiterals {
 public:
  explicit SmallLiterals(DType dtype) {
    nodes_.reserve(kCount);
    for (int64_t i = 0; i < kCount; ++i) nodes_.emplace_back(dtype, kFirst + i);
  }
  bool has(int64_t value) const { return value >= kFirst && value < kFirst + kCount; }
  const IntImm* node(int64_t value) const { return &nodes_[static_cast<size_t>(value - kFirst)]; }

 private:
  static constexpr int64_t kFirst = -16, kCount = 2048;
  std::vector<IntImm> nodes_;
};

}  // namespace

Var Var::of(const Expr& expr) {
  Var var;
  if (expr.as<VarNode>() != nullptr) var.node_ = static_cast<const Var&>(expr).node_;
  return var;
}

Load::Load(Buffer b, std::vector<Expr> i) : ExprNode(kKind, b->dtype), buffer(std::move(b)), indices(std::move(i)) {}

std::shared_ptr<const ExprNode> int_literal(DType dtype, int64_t value) {
  // Nobody owns these, so nobody counts who holds them; they are there for whoever ends last.
  static const auto* const int32 = new SmallLiterals(kInt32);
  static const auto* const int64 = new SmallLiterals(kInt64);
  if (dtype == kInt32 && int32->has(value)) return {std::shared_ptr<void>(), int32->node(value)};
  if (dtype == kInt64 && int64->has(value)) return {std::shared_ptr<void>(), int64->node(value)};
  return std::make_shared<const IntImm>(dtype, value);
}

Expr make_int(DType dtype, int64_t value) {
  if (!dtype.is_int() && !dtype.is_bool()) fail("the integer {} cannot be a literal of type {}", value, name(dtype));
  if (!dtype.holds(value))
    fail("{} is no {}, whose values are {} to {}", value, name(dtype), dtype.min_int(), dtype.max_int());
  return Expr(int_literal(dtype, value));
}

Expr make_float(DType dtype, double value) {
  if (!dtype.is_float()) fail("the number {} cannot be a literal of type {}", value, name(dtype));
  if (!float_holds(dtype, value)) {
    fail("{} is no {}, whose values are {} to {}, and the infinities", value, name(dtype), -dtype.max_float(),
         dtype.max_float());
  }
  return Expr(std::make_shared<FloatImm>(dtype, round_to(dtype, value)));
}

Expr adapt_literal(const Expr& expr, DType wanted) {
  if (const auto* i = expr.as<IntImm>(); i != nullptr && !i->dtype.is_bool()) {
    if (wanted.is_int() && wanted.holds(i->value)) return make_int(wanted, i->value);
    if (wanted.is_float() && std::isfinite(nearest(wanted, i->value))) {
      return make_float(wanted, nearest(wanted, i->value));
    }
  }
  if (const auto* f = expr.as<FloatImm>(); f != nullptr && wanted.is_float() && float_holds(wanted, f->value)) {
    return make_float(wanted, f->value);
  }
  return expr;
}

Expr make_string(std::string value) {
  return Expr(std::make_shared<StringImm>(std::move(value)));
}

Expr make_const(DType dtype, double value) {
  if (dtype.is_float()) return make_float(dtype, round_to(dtype, value));
  // Not even int64 holds more; the largest of its values is no double.
  if (!(value >= -0x1p63 && value < 0x1p63)) {
    fail("{} is no {}, whose values are {} to {}", value, name(dtype), dtype.min_int(), dtype.max_int());
  }
  return make_int(dtype, static_cast<int64_t>(value));
}

Expr make_zero(DType dtype) {
  return make_const(dtype, 0);
}

Expr max_value(DType dtype) {
  if (dtype.is_float()) return make_float(dtype, std::numeric_limits<double>::infinity());
  return make_int(dtype, dtype.max_int());
}

Expr min_value(DType dtype) {
  if (dtype.is_float()) return make_float(dtype, -std::numeric_limits<double>::infinity());
  return make_int(dtype, dtype.min_int());
}

Expr make_binary(BinaryOp op, Expr a, Expr b) {
  VANTAGE_CHECK(a.defined() && b.defined());
  unify(a, b);
  const auto quote = [&] { return fmt::format("'{}' {} '{}'", to_text(a), symbol(op), to_text(b)); };
  const DType type = a.dtype();
  if (type != b.dtype()) {
    fail("{} mixes the types {} and {}; cast one of them", quote(), name(type), name(b.dtype()));
  }
  if (is_logic(op) && !type.is_bool()) fail("{} needs bools, got {}", quote(), name(type));
  if (is_integer_only(op) && !type.is_int()) fail("{} needs integers, got {}", quote(), name(type));
  if (op == BinaryOp::kDiv && !type.is_float()) {
    fail("{} divides {}; say which way integers round: floor_div or trunc_div", quote(), name(type));
  }
  if (type.is_void()) fail("{} needs numbers, got texts or nothing", quote());
  if (type.is_bool() && !is_logic(op) && op != BinaryOp::kEq && op != BinaryOp::kNe) {
    fail("{} needs numbers, got bools", quote());
  }
  if (const int64_t* x = as_int(a), *y = as_int(b); x != nullptr && y != nullptr) {
    int64_t result = 0;
    if (evaluate_int(op, type, *x, *y, &result)) return make_int(is_comparison(op) ? kBool : type, result);
  }
  if (const auto* x = a.as<FloatImm>(), *y = b.as<FloatImm>(); x != nullptr && y != nullptr) {
    const double result = evaluate_float(op, type, x->value, y->value);
    return is_comparison(op) ? make_int(kBool, result != 0) : make_float(type, result);
  }
  if (const Expr simple = trivial(op, a, b); simple.defined()) return simple;
  return Expr(std::make_shared<Binary>(is_comparison(op) ? kBool : type, op, std::move(a), std::move(b)));
}

Expr cast(DType dtype, Expr value) {
  VANTAGE_CHECK(value.defined());
  if (value.dtype() == dtype) return value;
  if (dtype.is_void() || value.dtype().is_void()) fail("'{}' cannot be cast to {}", to_text(value), name(dtype));
  if (const int64_t* i = as_int(value)) {
    if (dtype.is_float()) return make_float(dtype, nearest(dtype, *i));
    return make_int(dtype, wrap(dtype, *i));
  }
  if (const auto* f = value.as<FloatImm>(); f != nullptr && dtype.is_float()) {
    return make_float(dtype, round_to(dtype, f->value));
  }
  return Expr(std::make_shared<Cast>(dtype, std::move(value)));
}

Expr load(const Buffer& buffer, std::vector<Expr> indices) {
  VANTAGE_CHECK(buffer != nullptr);
  if (indices.size() != buffer->rank()) {
    fail("{} has {} dimensions, but is read with {} indices", buffer->name, buffer->rank(), indices.size());
  }
  for (const Expr& index : indices) {
    if (!index.dtype().is_signed()) {
      fail("{} is indexed by '{}' of type {}, expected an integer", buffer->name, to_text(index), name(index.dtype()));
    }
  }
  return Expr(std::make_shared<Load>(buffer, std::move(indices)));
}

Expr call(std::string_view function, std::vector<Expr> arguments) {
  const Intrinsic* intrinsic = find_intrinsic(function);
  if (intrinsic == nullptr) fail("there is no intrinsic '{}'", function);
  if (arguments.size() != static_cast<size_t>(intrinsic->arity)) {
    fail("{} takes {} arguments, got {}", function, intrinsic->arity, arguments.size());
  }
  if (arguments.size() == 2) unify(arguments[0], arguments[1]);
  const DType type = arguments[0].dtype();
  for (const Expr& argument : arguments) {
    const DType got = argument.dtype();
    const bool fits = [&] {
      switch (intrinsic->kind) {
        case IntrinsicKind::kMath:
        case IntrinsicKind::kPredicate: return got.is_float() && got == type;
        case IntrinsicKind::kBytes: return got == kInt32;
        case IntrinsicKind::kAny: return got.is_float() || got.is_int();
        case IntrinsicKind::kHint: return got.is_bool();
        case IntrinsicKind::kBarrier: return argument.kind() == ExprKind::kStringImm;
      }
      return false;
    }();
    if (!fits) {
      fail("{} does not take '{}' of type {}, expected {}", function, to_text(argument), name(got),
           expected_by(intrinsic->kind, type));
    }
  }
  DType result = type;
  if (intrinsic->kind == IntrinsicKind::kPredicate) result = kBool;
  return Expr(std::make_shared<Call>(result, std::string(function), std::move(arguments)));
}

Expr operator+(Expr a, Expr b) {
  return make_binary(BinaryOp::kAdd, std::move(a), std::move(b));
}
Expr operator-(Expr a, Expr b) {
  return make_binary(BinaryOp::kSub, std::move(a), std::move(b));
}
Expr operator*(Expr a, Expr b) {
  return make_binary(BinaryOp::kMul, std::move(a), std::move(b));
}
Expr operator/(Expr a, Expr b) {
  return make_binary(BinaryOp::kDiv, std::move(a), std::move(b));
}
Expr operator-(Expr a) {
  if (!a.dtype().is_int() && !a.dtype().is_float()) fail("-'{}' needs a number, got {}", to_text(a), name(a.dtype()));
  return make_zero(a.dtype()) - a;
}
Expr floor_div(Expr a, Expr b) {
  return make_binary(BinaryOp::kFloorDiv, std::move(a), std::move(b));
}
Expr floor_mod(Expr a, Expr b) {
  return make_binary(BinaryOp::kFloorMod, std::move(a), std::move(b));
}
Expr trunc_div(Expr a, Expr b) {
  return make_binary(BinaryOp::kTruncDiv, std::move(a), std::move(b));
}
Expr trunc_mod(Expr a, Expr b) {
  return make_binary(BinaryOp::kTruncMod, std::move(a), std::move(b));
}
Expr ceil_div(Expr a, Expr b) {
  floor_div(a, b);  // the same rules, in a message without the sum
  return floor_div(std::move(a) + (b - 1), b);
}
Expr min(Expr a, Expr b) {
  return make_binary(BinaryOp::kMin, std::move(a), std::move(b));
}
Expr max(Expr a, Expr b) {
  return make_binary(BinaryOp::kMax, std::move(a), std::move(b));
}
Expr operator==(Expr a, Expr b) {
  return make_binary(BinaryOp::kEq, std::move(a), std::move(b));
}
Expr operator!=(Expr a, Expr b) {
  return make_binary(BinaryOp::kNe, std::move(a), std::move(b));
}
Expr operator<(Expr a, Expr b) {
  return make_binary(BinaryOp::kLt, std::move(a), std::move(b));
}
Expr operator<=(Expr a, Expr b) {
  return make_binary(BinaryOp::kLe, std::move(a), std::move(b));
}
Expr operator>(Expr a, Expr b) {
  return make_binary(BinaryOp::kGt, std::move(a), std::move(b));
}
Expr operator>=(Expr a, Expr b) {
  return make_binary(BinaryOp::kGe, std::move(a), std::move(b));
}
Expr operator&&(Expr a, Expr b) {
  return make_binary(BinaryOp::kAnd, std::move(a), std::move(b));
}
Expr operator||(Expr a, Expr b) {
  return make_binary(BinaryOp::kOr, std::move(a), std::move(b));
}
Expr operator<<(Expr a, Expr b) {
  return make_binary(BinaryOp::kShl, std::move(a), std::move(b));
}
Expr operator>>(Expr a, Expr b) {
  return make_binary(BinaryOp::kShr, std::move(a), std::move(b));
}
Expr operator&(Expr a, Expr b) {
  return make_binary(BinaryOp::kBitAnd, std::move(a), std::move(b));
}
Expr operator|(Expr a, Expr b) {
  return make_binary(BinaryOp::kBitOr, std::move(a), std::move(b));
}
Expr operator^(Expr a, Expr b) {
  return make_binary(BinaryOp::kBitXor, std::move(a), std::move(b));
}

Expr operator!(Expr a) {
  if (!a.dtype().is_bool()) fail("not '{}' needs a bool, got {}", to_text(a), name(a.dtype()));
  if (const int64_t* value = as_int(a)) return *value == 0;
  if (const auto* inner = a.as<Not>()) return inner->value;
  return Expr(std::make_shared<Not>(std::move(a)));
}

Expr if_then_else(Expr condition, Expr if_true, Expr if_false) {
  unify(if_true, if_false);
  if (!condition.dtype().is_bool()) {
    fail("the condition '{}' is of type {}, expected bool", to_text(condition), name(condition.dtype()));
  }
  if (if_true.dtype() != if_false.dtype()) {
    fail("the branches '{}' and '{}' have types {} and {}; cast one of them", to_text(if_true), to_text(if_false),
         name(if_true.dtype()), name(if_false.dtype()));
  }
  if (const int64_t* value = as_int(condition)) return *value != 0 ? if_true : if_false;
  return Expr(std::make_shared<Select>(std::move(condition), std::move(if_true), std::move(if_false)));
}

const int64_t* as_int(const Expr& expr) {
  const auto* imm = expr.as<IntImm>();
  return imm != nullptr ? &imm->value : nullptr;
}

bool is_int(const Expr& expr, int64_t value) {
  const int64_t* got = as_int(expr);
  return got != nullptr && *got == value;
}

bool is_leaf(const Expr& expr) {
  return is_literal(expr) || expr.kind() == ExprKind::kStringImm || expr.kind() == ExprKind::kVar;
}

std::vector<Expr> conjuncts(const Expr& condition) {
  const auto* op = condition.as<Binary>();
  if (op == nullptr || op->op != BinaryOp::kAnd) return {condition};
  std::vector<Expr> list = conjuncts(op->a);
  for (const Expr& part : conjuncts(op->b)) list.push_back(part);
  return list;
}

Expr all_of(const std::vector<Expr>& conditions) {
  Expr result = true;
  for (const Expr& condition : conditions) result = result && condition;
  return result;
}

bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::kEq && op <= BinaryOp::kGe;
}

bool evaluate_int(BinaryOp op, DType dtype, int64_t a, int64_t b, int64_t* result) {
  const auto ua = static_cast<uint64_t>(a);
  const auto ub = static_cast<uint64_t>(b);
  const auto set = [&](auto value) {
    *result = wrap(dtype, static_cast<int64_t>(value));
    return true;
  };
  const auto set_bool = [&](bool value) {
    *result = value ? 1 : 0;
    return true;
  };
  // b == -1 apart: the smallest value divided by it does not fit, and wraps.
  switch (op) {
    case BinaryOp::kAdd: return set(ua + ub);
    case BinaryOp::kSub: return set(ua - ub);
    case BinaryOp::kMul: return set(ua * ub);
    case BinaryOp::kFloorDiv:
      if (b == 0) return false;
      if (b == -1) return set(uint64_t{0} - ua);
      return set(a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0));
    case BinaryOp::kFloorMod:
      if (b == 0) return false;
      if (b == -1) return set(0);
      return set(a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0));
    case BinaryOp::kTruncDiv:
      if (b == 0) return false;
      return b == -1 ? set(uint64_t{0} - ua) : set(a / b);
    case BinaryOp::kTruncMod:
      if (b == 0) return false;
      return b == -1 ? set(0) : set(a % b);
    case BinaryOp::kMin: return set(std::min(a, b));
    case BinaryOp::kMax: return set(std::max(a, b));
    case BinaryOp::kEq: return set_bool(a == b);
    case BinaryOp::kNe: return set_bool(a != b);
    case BinaryOp::kLt: return set_bool(a < b);
    case BinaryOp::kLe: return set_bool(a <= b);
    case BinaryOp::kGt: return set_bool(a > b);
    case BinaryOp::kGe: return set_bool(a >= b);
    case BinaryOp::kAnd: return set_bool(a != 0 && b != 0);
    case BinaryOp::kOr: return set_bool(a != 0 || b != 0);
    case BinaryOp::kShl:
    case BinaryOp::kShr: {
      // A negative amount shifts the other way, as on the VTA.
      const bool left = (op == BinaryOp::kShl) == (b >= 0);
      const uint64_t amount = b >= 0 ? ub : uint64_t{0} - ub;
      const bool all = amount >= static_cast<uint64_t>(dtype.bits());
      if (left) return set(all ? uint64_t{0} : ua << amount);
      if (all) return set(a < 0 ? -1 : 0);
      return set(a >> amount);
    }
    case BinaryOp::kBitAnd: return set(ua & ub);
    case BinaryOp::kBitOr: return set(ua | ub);
    case BinaryOp::kBitXor: return set(ua ^ ub);
    case BinaryOp::kDiv: break;
  }
  internal_check_failed("an integer operation", __FILE__, __LINE__);
}

double evaluate_float(BinaryOp op, DType dtype, double a, double b) {
  const auto rounded = [&](double value) { return round_to(dtype, value); };
  switch (op) {
    case BinaryOp::kAdd: return rounded(a + b);
    case BinaryOp::kSub: return rounded(a - b);
    case BinaryOp::kMul: return rounded(a * b);
    case BinaryOp::kDiv: return rounded(a / b);
    case BinaryOp::kMin: return b < a || std::isnan(b) ? b : a;
    case BinaryOp::kMax: return b > a || std::isnan(b) ? b : a;
    case BinaryOp::kEq: return a == b ? 1 : 0;
    case BinaryOp::kNe: return a != b ? 1 : 0;
    case BinaryOp::kLt: return a < b ? 1 : 0;
    case BinaryOp::kLe: return a <= b ? 1 : 0;
    case BinaryOp::kGt: return a > b ? 1 : 0;
    case BinaryOp::kGe: return a >= b ? 1 : 0;
    default: break;
  }
  internal_check_failed("a floating-point operation", __FILE__, __LINE__);
}

}  // namespace vantage::ir
