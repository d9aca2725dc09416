#include <charconv>
#include <cmath>
#include <limits>

#include "compiler/ir/arith/linear.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/operators.h"
#include "compiler/ir/parser.h"

namespace vantage::ir {

Expr Parser::expr(int level) {
  const Deeper deeper(*this);
  Expr left = unary(level);
  for (bool compared = false;;) {
    const Token token = peek();
    const bool is_word = token.is_name("and") || token.is_name("or");
    const auto op = is_word || token.kind == Token::Kind::kSymbol ? operation(token.text) : std::nullopt;
    if (!op) return left;
    BinaryOp chosen = *op;
    const Level own = describe(chosen).level;
    if (own < level || own == kAtom || (own == kCompare && compared)) return left;  // comparisons do not chain
    // What is on the left of an operation is nested in it.
    if (++operations_ > kMostOperations) refuse(token, "this expression has too many operations; store parts of it");
    next();
    const Expr right = expr(own + 1);
    // Types are checked as anywhere; the operation stays as it is written, though, also where it could be carried out.
    const DType type = at(token, [&] { return make_binary(chosen, left, right); }).dtype();
    left = Expr(std::make_shared<Binary>(type, chosen, left, right));
    compared = own == kCompare;
  }
}

Expr Parser::unary(int level) {
  const Token token = peek();
  if (token.is_name("not")) {
    if (level > kNot) refuse(token, "'not' binds looser than what is around it; put it in parentheses");
    next();
    const Expr value = expr(kNot);
    if (!value.dtype().is_bool()) refuse(token, "'not' of what is no bool");
    return Expr(std::make_shared<Not>(value));
  }
  if (token.is("-")) {
    next();
    if (peek().kind != Token::Kind::kNumber) {
      refuse(token, "'-' is the sign of a number only, or stands between two values; write '0 - ...'");
    }
    return integer(true);
  }
  return atom();
}

Expr Parser::atom() {
  const Token token = peek();
  if (take("(")) {
    const Expr inside = expr();
    expect(")");
    return inside;
  }
  switch (token.kind) {
    case Token::Kind::kNumber: return integer(false);
    case Token::Kind::kName: break;
    default: refuse_next("an expression");
  }
  if (token.text == "True" || token.text == "False") {
    next();
    return make_int(kBool, token.text == "True" ? 1 : 0);
  }
  if (token.text == "T") return call_or_literal();
  next();
  if (peek().is("[")) return element(token);
  const auto found = names_.find(token.text);
  if (found == names_.end()) refuse(token, fmt::format("'{}' is not defined here", token.text));
  if (const Var* var = std::get_if<Var>(&found->second)) return *var;
  refuse(token, fmt::format("'{}' is a buffer; expected an element of it, '{}[...]'", token.text, token.text));
}

Expr Parser::integer(bool negative) {
  const Token token = peek();
  if (token.kind != Token::Kind::kNumber) refuse_next("a number");
  next();
  const std::string text = (negative ? "-" : "") + token.text;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    refuse(token, fmt::format("'{}' is no integer; a number with a point names its type, as T.float32({})", token.text,
                              token.text));
  }
  return at(token, [&] { return make_int(kIndex, value); });
}

Expr Parser::literal(DType type) {
  const Token token = peek();
  double value = 0;
  if (token.kind == Token::Kind::kString) {
    next();
    if (token.text == "nan") {
      value = std::numeric_limits<double>::quiet_NaN();
    } else if (token.text == "inf" || token.text == "-inf") {
      value = token.text == "inf" ? HUGE_VAL : -HUGE_VAL;
    } else {
      refuse(token, "expected \"inf\", \"-inf\" or \"nan\"");
    }
    if (!type.is_float()) refuse(token, fmt::format("{} holds no such value", vantage::name(type)));
    return make_float(type, value);
  }
  const bool negative = take("-");
  const Token number = peek();
  if (number.kind != Token::Kind::kNumber) refuse_next("a number");
  next();
  const std::string text = (negative ? "-" : "") + number.text;
  const auto parsed = [&](auto& result) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (error != std::errc() || end != text.data() + text.size()) {
      refuse(number, fmt::format("'{}' is no number of type {}", text, vantage::name(type)));
    }
  };
  if (type.is_float()) {
    parsed(value);
    return at(number, [&] { return make_float(type, value); });
  }
  int64_t whole = 0;
  parsed(whole);
  return at(number, [&] { return make_int(type, whole); });
}

Expr Parser::element(const Token& token) {
  const Buffer buffer = buffer_at(token);
  expect("[");
  std::vector<Expr> indices = list("]");
  return at(token, [&] { return load(buffer, std::move(indices)); });
}

Expr Parser::call_or_literal() {
  const Token begin = peek();
  const std::string name = call_name();
  expect("(");
  if (name == "Cast") {
    const Token token = peek();
    const DType type = dtype(token, string());
    expect(",");
    const Expr value = expr();
    expect(")");
    return Expr(std::make_shared<Cast>(type, value));
  }
  if (name == "if_then_else") {
    const std::vector<Expr> parts = list(")");
    if (parts.size() != 3) refuse(begin, "T.if_then_else takes a condition and two values");
    at(begin, [&] { return if_then_else(parts[0], parts[1], parts[2]); });
    return Expr(std::make_shared<Select>(parts[0], parts[1], parts[2]));
  }
  if (const auto op = operation(name); op && describe(*op).level == kAtom) {
    const std::vector<Expr> parts = list(")");
    if (parts.size() != 2) refuse(begin, fmt::format("T.{} takes two values", name));
    const DType type = at(begin, [&] { return make_binary(*op, parts[0], parts[1]); }).dtype();
    return Expr(std::make_shared<Binary>(type, *op, parts[0], parts[1]));
  }
  if (name == kCallExtern || name == kCallPureExtern) return extern_call(begin, name == kCallPureExtern);
  for (const DType type :
       {kInt4, kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kFloat16, kBFloat16, kFloat32, kFloat64}) {
    if (name != vantage::name(type)) continue;
    const Expr value = literal(type);
    expect(")");
    return value;
  }
  return intrinsic(begin, name);
}

Expr Parser::intrinsic(const Token& begin, const std::string& name) {
  std::vector<Expr> values = arguments(name);
  if (find_intrinsic(name) != nullptr) {
    const DType type = at(begin, [&] { return call(name, values); }).dtype();
    return Expr(std::make_shared<Call>(type, name, std::move(values)));
  }
  if (touches_.find(name) == touches_.end()) refuse(begin, fmt::format("there is no function T.{}", name));
  return Expr(std::make_shared<Call>(kVoid, name, std::move(values)));
}

Expr Parser::extern_call(const Token& begin, bool has_value) {
  DType result = kVoid;
  if (has_value) {
    const Token token = peek();
    result = dtype(token, string());
    expect(",");
  }
  const std::string function = string();
  std::vector<Expr> values;
  while (!take(")")) {
    expect(",");
    const Token token = peek();
    const auto make = at_call("reads") ? reads : at_call("writes") ? writes : at_call("updates") ? updates : nullptr;
    if (token.kind == Token::Kind::kString) {
      values.push_back(make_string(next().text));
    } else if (make == nullptr) {
      values.push_back(expr());
    } else {
      call_name();
      expect("(");
      const Token own = next();
      const Buffer buffer = buffer_at(own);
      const std::vector<Range> ranges = box();
      expect(")");
      values.push_back(at(own, [&] { return make(buffer, ranges); }));
    }
  }
  return at(begin, [&] {
    if (has_value) return call_pure_extern(result, function, std::move(values));
    return call_extern(function, std::move(values)).as<Evaluate>()->call;
  });
}

// Whether "name[...]" is a box: one of its dimensions is a range.
bool Parser::is_region() const {
  if (peek().kind != Token::Kind::kName || !peek(1).is("[")) return false;
  int depth = 0;
  for (size_t ahead = 1;; ++ahead) {
    const Token& token = peek(ahead);
    if (token.is("[") || token.is("(")) ++depth;
    if (token.is("]") || token.is(")")) --depth;
    if (depth == 0 || token.kind == Token::Kind::kEnd || token.kind == Token::Kind::kNewline) return false;
    if (depth == 1 && token.is(":")) return true;
  }
}

std::vector<Expr> Parser::arguments(const std::string& function) {
  const auto known = touches_.find(function);
  size_t regions = 0;
  std::vector<Expr> values;
  while (!take(")")) {
    if (!values.empty()) expect(",");
    const Token token = peek();
    // A target's call names boxes, of single elements too.
    const bool is_box = known != touches_.end() && token.kind == Token::Kind::kName && peek(1).is("[");
    if (token.kind == Token::Kind::kString) {
      next();
      values.push_back(make_string(token.text));
    } else if (is_box || is_region()) {
      if (!is_box || regions == known->second.size()) refuse(token, "no box of a buffer belongs here");
      next();
      const Buffer buffer = buffer_at(token);
      values.push_back(Expr(std::make_shared<View>(buffer, box(), known->second[regions++])));
    } else {
      values.push_back(expr());
    }
  }
  return values;
}

std::vector<Expr> Parser::list(std::string_view end) {
  std::vector<Expr> values;
  while (!take(end)) {
    if (!values.empty()) expect(",");
    if (take(end)) break;  // "(1,)"
    values.push_back(expr());
  }
  return values;
}

Range Parser::range() {
  const Expr first = expr();
  if (!take(":")) return {first, make_int(first.dtype(), 1)};
  return {first, extent_between(first, expr())};
}

std::vector<Range> Parser::box() {
  expect("[");
  std::vector<Range> ranges;
  while (!take("]")) {
    if (!ranges.empty()) expect(",");
    ranges.push_back(range());
  }
  return ranges;
}

}  // namespace vantage::ir
