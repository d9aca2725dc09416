#include "compiler/ir/lexer.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"

namespace vantage::ir {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      if (at_line_start_ && brackets_ == 0) {
        indentation();
        continue;
      }
      const char c = text_[at_];
      if (c == '\n') {
        end_line();
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (is_letter(c)) {
        word(Token::Kind::kName, [](char x) { return is_letter(x) || is_digit(x); });
      } else if (is_digit(c)) {
        number();
      } else if (c == '"') {
        string();
      } else {
        symbol();
      }
    }
    if (!tokens_.empty() && tokens_.back().kind != Token::Kind::kNewline) add(Token::Kind::kNewline, at_, "");
    for (; indents_.size() > 1; indents_.pop_back()) add(Token::Kind::kDedent, at_, "");
    add(Token::Kind::kEnd, at_, "");
    return std::move(tokens_);
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(size_t at, fmt::format_string<Args...> format, Args&&... args) const {
    fail("{}:{}:{}: {}", source_, line_, at - line_begin_ + 1, fmt::format(format, std::forward<Args>(args)...));
  }

  void add(Token::Kind kind, size_t begin, std::string text) {
    tokens_.push_back({kind, std::move(text), line_, begin - line_begin_ + 1});
  }

  void end_line() {
    if (brackets_ == 0 && !tokens_.empty() && tokens_.back().kind != Token::Kind::kNewline) {
      add(Token::Kind::kNewline, at_, "");
    }
    ++at_;
    ++line_;
    line_begin_ = at_;
    at_line_start_ = brackets_ == 0;
  }

  // Of a line that holds something.
  void indentation() {
    size_t next = at_;
    while (next < text_.size() && text_[next] == ' ') ++next;
    at_line_start_ = false;
    if (next == text_.size() || text_[next] == '\n' || text_[next] == '#' || text_[next] == '\r') {
      at_ = next;
      return;
    }
    if (text_[next] == '\t') refuse(next, "a tab; indent by spaces");
    const size_t width = next - at_;
    at_ = next;
    if (width > indents_.back()) {
      indents_.push_back(width);
      add(Token::Kind::kIndent, at_, "");
    }
    for (; width < indents_.back(); indents_.pop_back()) add(Token::Kind::kDedent, at_, "");
    if (width != indents_.back()) refuse(at_, "this line is indented as none before it");
  }

  template <typename Belongs>
  void word(Token::Kind kind, const Belongs& belongs) {
    const size_t begin = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    add(kind, begin, std::string(text_.substr(begin, at_ - begin)));
  }

  void number() {
    char before = '0';
    word(Token::Kind::kNumber, [&](char c) {
      const bool sign = (c == '-' || c == '+') && before == 'e';
      before = c;
      return is_digit(c) || c == '.' || c == 'e' || sign;
    });
  }

  void string() {
    const size_t begin = at_++;
    std::string value;
    for (;; ++at_) {
      if (at_ == text_.size() || text_[at_] == '\n') refuse(begin, "this text has no end; expected '\"'");
      if (text_[at_] == '"') break;
      if (text_[at_] != '\\') {
        value += text_[at_];
        continue;
      }
      ++at_;
      if (at_ == text_.size()) refuse(begin, "this text has no end; expected '\"'");
      if (text_[at_] != 'n' && text_[at_] != '"' && text_[at_] != '\\') {
        refuse(at_, "no escape '\\{}'; there are \\n, \\\" and \\\\", text_[at_]);
      }
      value += text_[at_] == 'n' ? '\n' : text_[at_];
    }
    ++at_;
    add(Token::Kind::kString, begin, std::move(value));
  }

  void symbol() {
    static constexpr std::array<std::string_view, 24> kSymbols = {"//", "<<", ">>", "==", "!=", "<=", ">=", "<",
                                                                  ">",  "=",  "+",  "-",  "*",  "/",  "%",  "&",
                                                                  "|",  "^",  "(",  ")",  "[",  "]",  "{",  "}"};
    static constexpr std::string_view kMore = ",:.@";
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      if (symbol == "(" || symbol == "[" || symbol == "{") ++brackets_;
      if ((symbol == ")" || symbol == "]" || symbol == "}") && brackets_ > 0) --brackets_;
      add(Token::Kind::kSymbol, at_, std::string(symbol));
      at_ += symbol.size();
      return;
    }
    if (kMore.find(text_[at_]) == std::string_view::npos) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte < 0x20 || byte > 0x7e) refuse(at_, "a byte of {:#04x}; expected printable ASCII", byte);
      refuse(at_, "'{}' is no part of this language", text_[at_]);
    }
    add(Token::Kind::kSymbol, at_, std::string(1, text_[at_]));
    ++at_;
  }

  std::string_view text_, source_;
  size_t at_ = 0, line_ = 1, line_begin_ = 0, brackets_ = 0;
  bool at_line_start_ = true;
  std::vector<size_t> indents_ = {0};
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens(std::string_view text, std::string_view source) {
  return Lexer(text, source).run();
}

std::string to_text(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kNewline: return "the end of the line";
    case Token::Kind::kIndent: return "a line that is indented further";
    case Token::Kind::kDedent: return "a line that is indented less";
    case Token::Kind::kEnd: return "the end of the text";
    case Token::Kind::kString: return fmt::format("\"{}\"", token.text);
    case Token::Kind::kName:
    case Token::Kind::kNumber:
    case Token::Kind::kSymbol: break;
  }
  return fmt::format("'{}'", token.text);
}

}  // namespace vantage::ir
