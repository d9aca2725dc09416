// The text of a graph in words, for its parser.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/error.h"

namespace vantage::graph {

class Scanner {
 public:
  Scanner(std::string_view text, std::string_view source) : text_(text), source_(source) { skip(); }

  struct Place {
    size_t line, column;
  };
  Place place() const { return {line_, column_}; }
  bool at_end() const { return at_ == text_.size(); }

  // If the text goes on with `symbol`, passes it. A word only where it ends there.
  bool take(std::string_view symbol);
  void expect(std::string_view symbol);
  // A name (graph.h), without a "%" before it.
  std::string name(std::string_view what);
  // Digits, sign, point and exponent, or inf and nan.
  std::string number(std::string_view what);
  bool at_number() const;
  // Between quotes, on one line.
  std::string quoted();
  bool at(char c) const { return !at_end() && text_[at_] == c; }

  // What `make` makes; an Error of it gets this place.
  template <typename Make>
  auto placed(Place place, const Make& make) const {
    try {
      return make();
    } catch (const Error& error) {
      refuse(place, error.what());
    }
  }
  [[noreturn]] void refuse(Place place, std::string_view message) const;
  [[noreturn]] void refuse_next(std::string_view expected) const;

 private:
  void advance();
  void skip();  // white space, and comments from "#" on
  std::string pass(size_t length);

  std::string_view text_, source_;
  size_t at_ = 0, line_ = 1, column_ = 1;
};

}  // namespace vantage::graph
