// Functions of elements, on floats unless said otherwise; what they compute is in compiler/tir/intrinsics.cpp.
#pragma once

#include "compiler/tir/expr.h"

namespace vantage::te {

using tir::Expr;

inline Expr abs(Expr x) {
  return tir::call("abs", {std::move(x)});
}  // integers too
inline Expr acos(Expr x) {
  return tir::call("acos", {std::move(x)});
}
inline Expr asin(Expr x) {
  return tir::call("asin", {std::move(x)});
}
inline Expr atan(Expr x) {
  return tir::call("atan", {std::move(x)});
}
inline Expr atan2(Expr y, Expr x) {
  return tir::call("atan2", {std::move(y), std::move(x)});
}
inline Expr ceil(Expr x) {
  return tir::call("ceil", {std::move(x)});
}
inline Expr cos(Expr x) {
  return tir::call("cos", {std::move(x)});
}
inline Expr cosh(Expr x) {
  return tir::call("cosh", {std::move(x)});
}
inline Expr erf(Expr x) {
  return tir::call("erf", {std::move(x)});
}
inline Expr exp(Expr x) {
  return tir::call("exp", {std::move(x)});
}
inline Expr exp2(Expr x) {
  return tir::call("exp2", {std::move(x)});
}
inline Expr floor(Expr x) {
  return tir::call("floor", {std::move(x)});
}
inline Expr isinf(Expr x) {
  return tir::call("isinf", {std::move(x)});
}
inline Expr isnan(Expr x) {
  return tir::call("isnan", {std::move(x)});
}
inline Expr log(Expr x) {
  return tir::call("log", {std::move(x)});
}
inline Expr log1p(Expr x) {
  return tir::call("log1p", {std::move(x)});
}
inline Expr log2(Expr x) {
  return tir::call("log2", {std::move(x)});
}
inline Expr log10(Expr x) {
  return tir::call("log10", {std::move(x)});
}
inline Expr pow(Expr x, Expr y) {
  return tir::call("pow", {std::move(x), std::move(y)});
}
inline Expr round(Expr x) {
  return tir::call("round", {std::move(x)});
}
inline Expr rsqrt(Expr x) {
  return tir::call("rsqrt", {std::move(x)});
}
inline Expr sigmoid(Expr x) {
  return tir::call("sigmoid", {std::move(x)});
}
inline Expr sin(Expr x) {
  return tir::call("sin", {std::move(x)});
}
inline Expr sinh(Expr x) {
  return tir::call("sinh", {std::move(x)});
}
inline Expr sqrt(Expr x) {
  return tir::call("sqrt", {std::move(x)});
}
inline Expr tan(Expr x) {
  return tir::call("tan", {std::move(x)});
}
inline Expr tanh(Expr x) {
  return tir::call("tanh", {std::move(x)});
}
inline Expr trunc(Expr x) {
  return tir::call("trunc", {std::move(x)});
}
// On every type of number.
inline Expr clip(Expr x, Expr low, Expr high) {
  return tir::min(tir::max(std::move(x), std::move(low)), std::move(high));
}

}  // namespace vantage::te
