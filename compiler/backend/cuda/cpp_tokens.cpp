#include "compiler/backend/cuda/cpp_tokens.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace vantage::cuda {

using namespace ir;

namespace {

std::string float_text(float value) {
  if (!std::isfinite(value)) return fmt::format("vt::float_of({:#x}U)", std::bit_cast<uint32_t>(value));
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "F";
}

std::string double_text(double value) {
  if (!std::isfinite(value)) return "double(" + float_text(static_cast<float>(value)) + ")";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string type_name(DType dtype) {
  if (dtype.is_bool()) return "bool";
  if (dtype == kFloat16) return "vt::half";
  if (dtype == kBFloat16) return "vt::bfloat16";
  if (dtype.is_float()) return dtype == kFloat32 ? "float" : "double";
  VANTAGE_CHECK(dtype.is_int());
  const bool is_signed = dtype.is_signed();
  switch (dtype.bytes()) {
    case 1: return is_signed ? "signed char" : "unsigned char";
    case 2: return is_signed ? "short" : "unsigned short";
    case 4: return is_signed ? "int" : "unsigned";
    default: return is_signed ? "long long" : "unsigned long long";
  }
}

int c_bits(DType dtype) {
  return dtype.is_bool() ? 1 : 8 * dtype.bytes();
}

std::string parenthesised(std::string text, int own, int around) {
  return own < around ? "(" + text + ")" : text;
}

std::pair<std::string_view, int> symbol_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd: return {"+", kSum};
    case BinaryOp::kSub: return {"-", kSum};
    case BinaryOp::kMul: return {"*", kProduct};
    case BinaryOp::kDiv: return {"/", kProduct};
    case BinaryOp::kEq: return {"==", kEqual};
    case BinaryOp::kNe: return {"!=", kEqual};
    case BinaryOp::kLt: return {"<", kLess};
    case BinaryOp::kLe: return {"<=", kLess};
    case BinaryOp::kGt: return {">", kLess};
    case BinaryOp::kGe: return {">=", kLess};
    case BinaryOp::kAnd: return {"&&", kAnd};
    case BinaryOp::kOr: return {"||", kOr};
    case BinaryOp::kBitAnd: return {"&", kBitAnd};
    case BinaryOp::kBitOr: return {"|", kBitOr};
    case BinaryOp::kBitXor: return {"^", kBitXor};
    default: return {"", kWhole};
  }
}

std::string_view function_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd: return "vt::add";
    case BinaryOp::kSub: return "vt::sub";
    case BinaryOp::kMul: return "vt::mul";
    case BinaryOp::kFloorDiv: return "vt::floor_div";
    case BinaryOp::kFloorMod: return "vt::floor_mod";
    case BinaryOp::kTruncDiv: return "vt::trunc_div";
    case BinaryOp::kTruncMod: return "vt::trunc_mod";
    case BinaryOp::kShl: return "vt::shift_left";
    case BinaryOp::kShr: return "vt::shift_right";
    case BinaryOp::kMin: return "vt::minimum";
    case BinaryOp::kMax: return "vt::maximum";
    default: return "";
  }
}

std::string literal(const Expr& expr, int around) {
  const DType type = expr.dtype();
  if (const auto* number = expr.as<FloatImm>()) {
    if (type.is_narrow_float()) {
      return fmt::format("{}({})", type_name(type), float_text(static_cast<float>(number->value)));
    }
    const std::string text =
        type == kFloat32 ? float_text(static_cast<float>(number->value)) : double_text(number->value);
    return parenthesised(text, text.starts_with("-") ? static_cast<int>(kUnary) : kWhole, around);
  }
  const int64_t value = expr.as<IntImm>()->value;
  if (type.is_bool()) return value != 0 ? "true" : "false";
  // The smallest has no literal of its own.
  if (value == std::numeric_limits<int64_t>::min()) return "(-9223372036854775807LL - 1LL)";
  if (type == kInt32 && value == kInt32.min_int()) return "(-2147483647 - 1)";
  const char* suffix = type.is_unsigned() && c_bits(type) == 32 ? "U" : c_bits(type) == 64 ? "LL" : "";
  const std::string text = fmt::format("{}{}", value, suffix);
  if (c_bits(type) < 32) return fmt::format("({}){}", type_name(type), text);
  return parenthesised(text, value < 0 ? static_cast<int>(kUnary) : kWhole, around);
}

}  // namespace vantage::cuda
