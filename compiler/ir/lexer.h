// The IR's text in tokens. Indentation is structure, as in Python: lines that are further in stand between an indent
// and a dedent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vantage::ir {

struct Token {
  enum class Kind : uint8_t { kName, kNumber, kString, kSymbol, kNewline, kIndent, kDedent, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;  // of a string: without quotes and escapes
  size_t line = 1, column = 1;

  bool is(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
  bool is_name(std::string_view name) const { return kind == Kind::kName && text == name; }
};

// Ends with kEnd. Empty lines, comments (from "#" on) and line breaks inside of brackets are passed over. Throws Error,
// beginning with source, line and column, for what is no token, and for an indentation that fits no line before.
std::vector<Token> tokens(std::string_view text, std::string_view source);

// A token as a message quotes it.
std::string to_text(const Token& token);

}  // namespace vantage::ir
