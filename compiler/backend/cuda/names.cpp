#include "compiler/backend/cuda/names.h"

#include <fmt/format.h>

namespace vantage::cuda {

namespace {

// Keywords, and what device/vantage.cuh, NVRTC and the C library have at hand without a namespace.
const std::unordered_set<std::string>& reserved() {
  static const std::unordered_set<std::string> kWords = {
      // keywords
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
      "char8_t", "char16_t", "char32_t", "class", "compl", "concept", "const", "consteval", "constexpr", "constinit",
      "const_cast", "continue", "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double",
      "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
      "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
      "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "return", "short",
      "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
      "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual",
      "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
      // the device's
      "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "half", "bfloat16", "lanes", "vantage", "min", "max",
      "dim3", "fma", "fmaf",
      // macros of the C library and of compilers
      "assert", "EOF", "fpclassify", "HUGE_VAL", "HUGE_VALF", "i386", "INFINITY", "isfinite", "isinf", "isnan",
      "isnormal", "linux", "NAN", "NULL", "signbit", "unix"};
  return kWords;
}
// So do the macros of device/ begin.
constexpr std::string_view kMacros = "VT_";

// Two underscores are the compiler's own, and a dot is none of a name.
std::string identifier(const std::string& wanted) {
  std::string result;
  for (const char c : wanted) {
    const char letter = c == '.' ? '_' : c;
    if (letter == '_' && (result.empty() || result.back() == '_')) continue;
    result += letter;
  }
  const bool begins_well = !result.empty() && (result[0] < '0' || result[0] > '9') && !result.starts_with(kMacros);
  return begins_well ? result : "v" + result;
}

}  // namespace

std::string Names::fresh(const std::string& wanted) {
  const std::string base = identifier(wanted);
  std::string result = base;
  for (int suffix = 1; reserved().count(result) > 0 || !taken_.insert(result).second; ++suffix) {
    result = fmt::format("{}_{}", base, suffix);
  }
  return result;
}

const std::string& Names::of(const void* what, const std::string& wanted) {
  const auto known = names_.find(what);
  return known != names_.end() ? known->second : names_.emplace(what, fresh(wanted)).first->second;
}

}  // namespace vantage::cuda
