#include "compiler/graph/scanner.h"

#include <algorithm>
#include <cctype>

#include "compiler/graph/graph.h"

namespace vantage::graph {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '/' || c == '-';
}

}  // namespace

void Scanner::advance() {
  const bool ends_line = text_[at_++] == '\n';
  line_ += ends_line ? 1 : 0;
  column_ = ends_line ? 1 : column_ + 1;
}

void Scanner::skip() {
  for (bool in_comment = false; !at_end(); advance()) {
    const char c = text_[at_];
    if (c == '#') in_comment = true;
    if (c == '\n') in_comment = false;
    if (!in_comment && c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
  }
}

std::string Scanner::pass(size_t length) {
  std::string passed(text_.substr(at_, length));
  for (size_t i = 0; i < length; ++i) advance();
  skip();
  return passed;
}

bool Scanner::take(std::string_view symbol) {
  if (text_.substr(at_, symbol.size()) != symbol) return false;
  const size_t behind = at_ + symbol.size();
  if (is_word(symbol.back()) && behind < text_.size() && is_word(text_[behind])) return false;
  pass(symbol.size());
  return true;
}

void Scanner::expect(std::string_view symbol) {
  if (!take(symbol)) refuse_next(fmt::format("'{}'", symbol));
}

std::string Scanner::name(std::string_view what) {
  const auto end = std::find_if_not(text_.begin() + static_cast<ptrdiff_t>(at_), text_.end(), is_word);
  const auto length = static_cast<size_t>(end - text_.begin()) - at_;
  if (!is_name(text_.substr(at_, length))) refuse_next(what);
  return pass(length);
}

bool Scanner::at_number() const {
  return !at_end() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-' ||
                       text_.substr(at_, 3) == "inf" || text_.substr(at_, 3) == "nan");
}

std::string Scanner::number(std::string_view what) {
  if (!at_number()) refuse_next(what);
  const auto end = std::find_if_not(text_.begin() + static_cast<ptrdiff_t>(at_), text_.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+';
  });
  return pass(static_cast<size_t>(end - text_.begin()) - at_);
}

std::string Scanner::quoted() {
  if (!at('"')) refuse_next("a word in quotes");
  const size_t end = text_.find_first_of("\"\n", at_ + 1);
  if (end == std::string_view::npos || text_[end] != '"') refuse_next("a word in quotes that end on the same line");
  const std::string all = pass(end + 1 - at_);
  return all.substr(1, all.size() - 2);
}

void Scanner::refuse(Place place, std::string_view message) const {
  fail("{}:{}:{}: {}", source_, place.line, place.column, message);
}

void Scanner::refuse_next(std::string_view expected) const {
  std::string_view there = text_.substr(at_, std::min<size_t>(text_.find('\n', at_), at_ + 24) - at_);
  if (at_end()) {
    refuse(place(), fmt::format("expected {}, but the text ends here", expected));
  }
  refuse(place(), fmt::format("expected {}, but here is '{}'", expected, there));
}

}  // namespace vantage::graph
