// Functions of elements, on floats unless said otherwise; what they compute is in compiler/ir/intrinsics.cpp.
#pragma once

#include "compiler/ir/expr.h"

namespace vantage::te {

using ir::Expr;

inline Expr abs(Expr x) {
  return ir::call("abs", {std::move(x)});
}  // integers too
inline Expr acos(Expr x) {
  return ir::call("acos", {std::move(x)});
}
inline Expr acosh(Expr x) {
  return ir::call("acosh", {std::move(x)});
}
inline Expr asin(Expr x) {
  return ir::call("asin", {std::move(x)});
}
inline Expr asinh(Expr x) {
  return ir::call("asinh", {std::move(x)});
}
inline Expr atan(Expr x) {
  return ir::call("atan", {std::move(x)});
}
inline Expr atan2(Expr y, Expr x) {
  return ir::call("atan2", {std::move(y), std::move(x)});
}
inline Expr atanh(Expr x) {
  return ir::call("atanh", {std::move(x)});
}
inline Expr ceil(Expr x) {
  return ir::call("ceil", {std::move(x)});
}
inline Expr cos(Expr x) {
  return ir::call("cos", {std::move(x)});
}
inline Expr cosh(Expr x) {
  return ir::call("cosh", {std::move(x)});
}
inline Expr erf(Expr x) {
  return ir::call("erf", {std::move(x)});
}
inline Expr exp(Expr x) {
  return ir::call("exp", {std::move(x)});
}
inline Expr exp2(Expr x) {
  return ir::call("exp2", {std::move(x)});
}
inline Expr floor(Expr x) {
  return ir::call("floor", {std::move(x)});
}
inline Expr fmod(Expr x, Expr y) {
  return ir::call("fmod", {std::move(x), std::move(y)});
}
inline Expr isinf(Expr x) {
  return ir::call("isinf", {std::move(x)});
}
inline Expr isnan(Expr x) {
  return ir::call("isnan", {std::move(x)});
}
inline Expr log(Expr x) {
  return ir::call("log", {std::move(x)});
}
inline Expr log1p(Expr x) {
  return ir::call("log1p", {std::move(x)});
}
inline Expr log2(Expr x) {
  return ir::call("log2", {std::move(x)});
}
inline Expr log10(Expr x) {
  return ir::call("log10", {std::move(x)});
}
inline Expr pow(Expr x, Expr y) {
  return ir::call("pow", {std::move(x), std::move(y)});
}
inline Expr round(Expr x) {
  return ir::call("round", {std::move(x)});
}
inline Expr rsqrt(Expr x) {
  return ir::call("rsqrt", {std::move(x)});
}
inline Expr sigmoid(Expr x) {
  return ir::call("sigmoid", {std::move(x)});
}
inline Expr sin(Expr x) {
  return ir::call("sin", {std::move(x)});
}
inline Expr sinh(Expr x) {
  return ir::call("sinh", {std::move(x)});
}
inline Expr sqrt(Expr x) {
  return ir::call("sqrt", {std::move(x)});
}
inline Expr tan(Expr x) {
  return ir::call("tan", {std::move(x)});
}
inline Expr tanh(Expr x) {
  return ir::call("tanh", {std::move(x)});
}
inline Expr trunc(Expr x) {
  return ir::call("trunc", {std::move(x)});
}
// On every type of number.
inline Expr clip(Expr x, Expr low, Expr high) {
  return ir::min(ir::max(std::move(x), std::move(low)), std::move(high));
}

}  // namespace vantage::te
