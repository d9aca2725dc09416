#include "compiler/schedule/index_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "compiler/ir/lexer.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"

namespace vantage::schedule {

using ir::Expr;
using ir::Token;
using ir::Var;

namespace {

constexpr size_t kLongest = 1000;

// Blanks at the beginning would be an indentation.
std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  return text;
}

// index = sum, sum, ...   sum = product + ...   product = atom, then any of * // % with a number
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text), tokens_(ir::tokens(trimmed(text), "index map")) {}

  std::vector<std::string> names() {
    std::vector<std::string> result;
    do {
      if (peek().kind != Token::Kind::kName) refuse("a name for each dimension");
      result.push_back(next().text);
    } while (take(","));
    // The lexer of functions knows no arrow.
    if (!take("->") && !(take("-") && take(">"))) refuse("'->'");
    return result;
  }

  std::vector<Expr> indices(const std::vector<Var>& axes) {
    axes_ = &axes;
    std::vector<Expr> result;
    do result.push_back(sum());
    while (take(","));
    if (peek().kind != Token::Kind::kEnd && peek().kind != Token::Kind::kNewline) refuse("',' or the end");
    return result;
  }

 private:
  const Token& peek() const { return tokens_[at_]; }
  const Token& next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool take(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    next();
    return true;
  }
  [[noreturn]] void refuse(std::string_view expected) const {
    fail("the index map '{}' has {} where {} belongs; write it as 'i, j -> i // 16, j, i % 16'", text_,
         ir::to_text(peek()), expected);
  }

  Expr sum() {
    Expr result = product();
    while (take("+")) result = result + product();
    return result;
  }
  Expr product() {
    Expr result = atom();
    for (;;) {
      if (take("*")) {
        result = result * number();
      } else if (take("//")) {
        result = floor_div(result, number());
      } else if (take("%")) {
        result = floor_mod(result, number());
      } else {
        return result;
      }
    }
  }
  Expr atom() {
    if (take("(")) {
      const Expr inside = sum();
      if (!take(")")) refuse("')'");
      return inside;
    }
    if (peek().kind == Token::Kind::kNumber) return ir::make_int(type(), value());
    if (peek().kind != Token::Kind::kName) refuse("a name or a number");
    const auto axis = std::find_if(axes_->begin(), axes_->end(), [&](const Var& a) { return a.name() == peek().text; });
    if (axis == axes_->end()) refuse("a name from before '->'");
    next();
    return *axis;
  }
  Expr number() {
    const int64_t result = value();
    if (result < 1) refuse("a number of at least 1");
    return ir::make_int(type(), result);
  }
  int64_t value() {
    const std::string text = peek().text;
    int64_t result = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    const bool is_number = peek().kind == Token::Kind::kNumber;
    if (!is_number || error != std::errc() || end != text.data() + text.size() || !type().holds(result)) {
      refuse("a number");
    }
    next();
    return result;
  }
  ir::DType type() const { return axes_->front().dtype(); }

  const std::string& text_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  const std::vector<Var>* axes_ = nullptr;
};

// A part of an old index: index // stride % extent.
struct AxisDigit {
  size_t axis = 0;
  int64_t stride = 1, extent = 1;
};

// The digits of a map, and the sizes that come of them.
class Digits {
 public:
  Digits(const std::string& text, const std::vector<Var>& axes, const std::vector<Expr>& shape)
      : text_(text), axes_(axes), shape_(shape) {}

  Expr size_of(const Expr& index) {
    // A size that is not constant stays whole.
    for (size_t i = 0; i < axes_.size(); ++i) {
      if (!axes_[i].same_as(index) || ir::as_int(shape_[i]) != nullptr) continue;
      whole_.push_back(i);
      return shape_[i];
    }
    ir::Linear sum = ir::Linear::of(index);
    if (sum.constant != 0) refuse(fmt::format("'{}' leaves places empty", ir::to_text(index)));
    std::sort(sum.terms.begin(), sum.terms.end(), [](const auto& a, const auto& b) { return a.factor < b.factor; });
    int64_t size = 1;
    for (const auto& term : sum.terms) {
      const AxisDigit digit = digit_of(term.atom);
      if (digit.extent == 1) continue;
      if (term.factor != size) {
        refuse(
            fmt::format("in '{}', the factor of '{}' is {}, expected {}, the number of values of what is added to it",
                        ir::to_text(index), ir::to_text(term.atom), term.factor, size));
      }
      if (digit.extent > kLargest / size) refuse(fmt::format("'{}' has too many values", ir::to_text(index)));
      size *= digit.extent;
      digits_.push_back(digit);
    }
    return ir::make_int(axes_.front().dtype(), size);
  }

  // Every part of every index must be there once.
  void check_all() {
    std::sort(digits_.begin(), digits_.end(), [](const AxisDigit& a, const AxisDigit& b) {
      return a.axis != b.axis ? a.axis < b.axis : a.stride < b.stride;
    });
    for (size_t i = 0; i < axes_.size(); ++i) {
      const auto times = std::count(whole_.begin(), whole_.end(), i);
      if (times > 1) refuse(fmt::format("it has {} twice", axes_[i].name()));
      const int64_t* size = ir::as_int(shape_[i]);
      int64_t reached = 1;
      for (const AxisDigit& digit : digits_) {
        if (digit.axis != i) continue;
        if (digit.stride < reached) refuse(fmt::format("it has '{}' twice", part(i, digit.stride, digit.extent)));
        if (digit.stride > reached) refuse(fmt::format("it lacks '{}'", part(i, reached, digit.stride / reached)));
        reached *= digit.extent;
      }
      if (size == nullptr ? times == 0 : reached != *size) {
        refuse(fmt::format("it lacks '{}'", part(i, reached, size == nullptr ? 0 : *size / reached)));
      }
    }
  }

 private:
  static constexpr int64_t kLargest = INT32_MAX;

  [[noreturn]] void refuse(const std::string& why) const {
    fail("the index map '{}' does not give every element a place of its own: {}", text_, why);
  }

  std::string part(size_t axis, int64_t stride, int64_t extent) const {
    const int64_t* size = ir::as_int(shape_[axis]);
    std::string text = axes_[axis].name();
    if (stride > 1) text += fmt::format(" // {}", stride);
    if (size != nullptr && stride * extent < *size) text += fmt::format(" % {}", extent);
    return text;
  }

  AxisDigit digit_of(const Expr& expr) const {
    for (size_t i = 0; i < axes_.size(); ++i) {
      if (!axes_[i].same_as(expr)) continue;
      const int64_t* size = ir::as_int(shape_[i]);
      if (size == nullptr) {
        refuse(fmt::format("{} has {} values, known only at the call; it can only be an index by itself",
                           axes_[i].name(), ir::to_text(shape_[i])));
      }
      return {i, 1, *size};
    }
    const auto* op = expr.as<ir::Binary>();
    const bool divides = op != nullptr && (op->op == ir::BinaryOp::kFloorDiv || op->op == ir::BinaryOp::kFloorMod);
    const int64_t* by = divides ? ir::as_int(op->b) : nullptr;
    if (by == nullptr) refuse(fmt::format("'{}' is no part of an index, as i // 8 % 4 is", ir::to_text(expr)));
    AxisDigit digit = digit_of(op->a);
    if (digit.extent % *by != 0) {
      fail(
          "the index map '{}' divides '{}' of {} values by {}, which leaves a rest; take a divisor, or let cache_read "
          "or the formula pad the buffer first",
          text_, ir::to_text(op->a), digit.extent, *by);
    }
    if (op->op == ir::BinaryOp::kFloorDiv) {
      digit.stride *= *by;
      digit.extent /= *by;
    } else {
      digit.extent = *by;
    }
    return digit;
  }

  const std::string& text_;
  const std::vector<Var>& axes_;
  const std::vector<Expr>& shape_;
  std::vector<AxisDigit> digits_;
  std::vector<size_t> whole_;  // axes whose size is not constant
};

}  // namespace

IndexMap::IndexMap(const std::string& text, const std::vector<Expr>& shape) {
  // Longer ones could be nested deeper than the stack.
  if (text.size() > kLongest) fail("an index map of {} characters, more than {}", text.size(), kLongest);
  Parser parser(text);
  const std::vector<std::string> names = parser.names();
  if (names.size() != shape.size()) {
    fail("the index map '{}' names {} dimensions of a buffer that has {}", text, names.size(), shape.size());
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::find(names.begin(), names.begin() + static_cast<ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<ptrdiff_t>(i)) {
      fail("the index map '{}' names two dimensions {}", text, names[i]);
    }
    axes_.emplace_back(names[i], shape[i].dtype());
  }
  indices_ = parser.indices(axes_);
  Digits digits(text, axes_, shape);
  for (const Expr& index : indices_) shape_.push_back(digits.size_of(index));
  digits.check_all();
}

std::vector<Expr> IndexMap::place(const std::vector<Expr>& indices, ir::Analyzer& analyzer) const {
  ir::VarMap values;
  for (size_t i = 0; i < axes_.size(); ++i) values[axes_[i].get()] = cast(axes_[i].dtype(), indices[i]);
  std::vector<Expr> result;
  for (const Expr& index : indices_) result.push_back(analyzer.simplify(ir::substitute(index, values)));
  return result;
}

}  // namespace vantage::schedule
