// Expressions: immutable trees, shared freely, built by operators that check types.
//
//   Var i("i");
//   Expr e = min(i * 4 + 1, 100);      // a literal takes the other operand's type, if that type holds it
//
// Two expressions are compared by structure with structural_equal() (structural.h); `==` builds a comparison.
// Thread safety: nodes never change, so they may be read from anywhere.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compiler/ir/dtype.h"

namespace vantage::ir {

enum class ExprKind : uint8_t {
  kIntImm,
  kFloatImm,
  kStringImm,
  kVar,
  kCast,
  kNot,
  kBinary,
  kSelect,
  kLoad,
  kCall,
  kView
};

struct ExprNode {
  const ExprKind kind;
  const DType dtype;

 protected:
  ExprNode(ExprKind k, DType t) : kind(k), dtype(t) {}
  ~ExprNode() = default;
};

// A literal's node: one that is always there for small values of the types that indices have, as those are a third of
// all nodes. REQUIRES: an integer type or bool that holds the value; make_int() looks at that.
std::shared_ptr<const ExprNode> int_literal(DType dtype, int64_t value);

class Expr {
 public:
  Expr() = default;  // null: stands for "none" where a contract says so
  // Literals: int32 (int64 where the value needs it), float32, bool.
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Expr(T value);  // NOLINT(google-explicit-constructor): literals read as expressions
  explicit Expr(std::shared_ptr<const ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }
  const ExprNode* get() const { return node_.get(); }
  const ExprNode* operator->() const { return node_.get(); }
  ExprKind kind() const { return node_->kind; }
  DType dtype() const { return node_->dtype; }
  bool same_as(const Expr& other) const { return node_ == other.node_; }
  // The node if it is a T, else null.
  template <typename T>
  const T* as() const {
    return node_ != nullptr && node_->kind == T::kKind ? static_cast<const T*>(node_.get()) : nullptr;
  }

 protected:
  std::shared_ptr<const ExprNode> node_;
};

// A variable: its identity is the object, its name is for people.
struct VarNode final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::kVar;
  VarNode(std::string n, DType t) : ExprNode(kKind, t), name(std::move(n)) {}
  std::string name;
};

class Var : public Expr {
 public:
  Var() = default;
  explicit Var(std::string name, DType dtype = kIndex) : Expr(std::make_shared<VarNode>(std::move(name), dtype)) {}
  const VarNode* get() const { return static_cast<const VarNode*>(node_.get()); }
  const std::string& name() const { return get()->name; }
  // The variable that `expr` is; null when it is none.
  static Var of(const Expr& expr);
};

struct IntImm final : ExprNode {  // integers and bools
  static constexpr ExprKind kKind = ExprKind::kIntImm;
  IntImm(DType t, int64_t v) : ExprNode(kKind, t), value(v) {}
  int64_t value;
};

struct FloatImm final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::kFloatImm;
  FloatImm(DType t, double v) : ExprNode(kKind, t), value(v) {}
  double value;
};

struct StringImm final : ExprNode {  // only as an argument of a call or an annotation
  static constexpr ExprKind kKind = ExprKind::kStringImm;
  explicit StringImm(std::string v) : ExprNode(kKind, kVoid), value(std::move(v)) {}
  std::string value;
};

struct Cast final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::kCast;
  Cast(DType t, Expr v) : ExprNode(kKind, t), value(std::move(v)) {}
  Expr value;
};

struct Not final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::kNot;
  explicit Not(Expr v) : ExprNode(kKind, kBool), value(std::move(v)) {}
  Expr value;
};

enum class BinaryOp : uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,  // floats
  kFloorDiv,
  kFloorMod,  // integers, rounding to minus infinity
  kTruncDiv,
  kTruncMod,  // integers, rounding to zero
  kMin,
  kMax,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kAnd,
  kOr,  // bools; the right-hand side is evaluated only when it decides
  kShl,
  kShr,  // integers; a negative amount shifts the other way, the width or more shifts all out
  kBitAnd,
  kBitOr,
  kBitXor,
};

struct Binary final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::kBinary;
  Binary(DType t, BinaryOp o, Expr l, Expr r) : ExprNode(kKind, t), op(o), a(std::move(l)), b(std::move(r)) {}
  BinaryOp op;
  Expr a, b;
};

struct Select final : ExprNode {  // only the chosen branch is evaluated
  static constexpr ExprKind kKind = ExprKind::kSelect;
  Select(Expr c, Expr t, Expr f)
      : ExprNode(kKind, t.dtype()), condition(std::move(c)), if_true(std::move(t)), if_false(std::move(f)) {}
  Expr condition, if_true, if_false;
};

struct BufferNode;
using Buffer = std::shared_ptr<const BufferNode>;  // buffer.h

struct Load final : ExprNode {  // one element of a buffer
  static constexpr ExprKind kKind = ExprKind::kLoad;
  Load(Buffer b, std::vector<Expr> i);
  Buffer buffer;
  std::vector<Expr> indices;
};

// A function by name: the intrinsics of intrinsics.h, or an instruction of a target.
struct Call final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::kCall;
  Call(DType t, std::string f, std::vector<Expr> a)
      : ExprNode(kKind, t), function(std::move(f)), arguments(std::move(a)) {}
  std::string function;
  std::vector<Expr> arguments;
};

struct Range {
  Expr min, extent;
};

// A box of a buffer, as an argument of a call: what the called instruction may touch.
enum class Touch : uint8_t { kRead = 1, kWrite = 2, kReadWrite = 3 };
struct View final : ExprNode {
  static constexpr ExprKind kKind = ExprKind::kView;
  View(Buffer b, std::vector<Range> r, Touch t)
      : ExprNode(kKind, kVoid), buffer(std::move(b)), box(std::move(r)), touch(t) {}
  Buffer buffer;
  std::vector<Range> box;
  Touch touch;
};

// Literals. Throw Error when the type does not hold the value.
Expr make_int(DType dtype, int64_t value);
Expr make_float(DType dtype, double value);
Expr make_string(std::string value);
// A number as a literal of another type where that holds it; any other expression as it is.
Expr adapt_literal(const Expr& expr, DType wanted);
// A value of any type but void: floats rounded, to an infinity where they are too large, and integers cut.
Expr make_const(DType dtype, double value);
Expr make_zero(DType dtype);
// The largest and the smallest value of a type (for floats the infinities): the identities of min and max.
Expr max_value(DType dtype);
Expr min_value(DType dtype);

// All of these throw Error when operand types do not fit, quoting the operands. Operations on literals are carried out,
// and what 0 and 1 leave unchanged disappears.
Expr make_binary(BinaryOp op, Expr a, Expr b);
Expr cast(DType dtype, Expr value);
Expr load(const Buffer& buffer, std::vector<Expr> indices);
// A call of one of the intrinsics of intrinsics.h, its arguments checked.
Expr call(std::string_view intrinsic, std::vector<Expr> arguments);

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);  // floats only: for integers say which division
Expr operator-(Expr a);
Expr floor_div(Expr a, Expr b);
Expr floor_mod(Expr a, Expr b);
Expr trunc_div(Expr a, Expr b);
Expr trunc_mod(Expr a, Expr b);
Expr ceil_div(Expr a, Expr b);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr operator==(Expr a, Expr b);
Expr operator!=(Expr a, Expr b);
Expr operator<(Expr a, Expr b);
Expr operator<=(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr operator&&(Expr a, Expr b);
Expr operator||(Expr a, Expr b);
Expr operator!(Expr a);
Expr operator<<(Expr a, Expr b);
Expr operator>>(Expr a, Expr b);
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);
Expr operator^(Expr a, Expr b);
Expr if_then_else(Expr condition, Expr if_true, Expr if_false);

// The value of an integer or bool literal; null for other expressions.
const int64_t* as_int(const Expr& expr);
bool is_int(const Expr& expr, int64_t value);
// Neither an operation nor a load: literals and variables.
bool is_leaf(const Expr& expr);

// A conjunction taken apart, and put together.
std::vector<Expr> conjuncts(const Expr& condition);
Expr all_of(const std::vector<Expr>& conditions);

bool is_comparison(BinaryOp op);
// The result of an integer operation on values of `dtype`; false when it has none (division by zero).
bool evaluate_int(BinaryOp op, DType dtype, int64_t a, int64_t b, int64_t* result);
double evaluate_float(BinaryOp op, DType dtype, double a, double b);

template <typename T, typename>
Expr::Expr(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    node_ = int_literal(kBool, value);
  } else if constexpr (std::is_integral_v<T>) {
    const auto v = static_cast<int64_t>(value);
    node_ = int_literal(kInt32.holds(v) ? kInt32 : kInt64, v);
  } else {
    node_ = std::make_shared<FloatImm>(kFloat32, static_cast<double>(value));
  }
}

}  // namespace vantage::ir
