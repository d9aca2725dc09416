// What C++ has of its own for the IR's types, numbers and operators.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/expr.h"

namespace vantage::cuda {

// How tightly C++ binds an operation; larger binds tighter.
enum Binding : int {
  kAny,
  kChoice,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEqual,
  kLess,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kWhole
};

// "float", "signed char", "vt::half": of elements in memory and of values alike.
std::string type_name(ir::DType dtype);

// The width of the C++ type that holds an integer.
int c_bits(ir::DType dtype);

// What C++ writes between two operands of a type for which it means the same, and how tightly that binds; "" where
// there is none. And the function of device/vantage.cuh that means what the operator does in the IR.
std::pair<std::string_view, int> symbol_of(ir::BinaryOp op);
std::string_view function_of(ir::BinaryOp op);

// A text that binds like `own`, in parentheses where that is less than `around` wants.
std::string parenthesised(std::string text, int own, int around);

// A number. REQUIRES: `expr` is one.
std::string literal(const ir::Expr& expr, int around);

}  // namespace vantage::cuda
