#include "compiler/ir/parse_function.h"

#include "compiler/ir/parser.h"

namespace vantage::ir {

// Tokens
// ---------------------------------------------------------------------------------------------------------------

bool Parser::take(std::string_view symbol) {
  if (!peek().is(symbol)) return false;
  next();
  return true;
}

void Parser::expect(std::string_view symbol) {
  if (!take(symbol)) refuse_next(fmt::format("'{}'", symbol));
}

void Parser::expect_word(std::string_view word) {
  if (!peek().is_name(word)) refuse_next(fmt::format("'{}'", word));
  next();
}

void Parser::expect(Token::Kind kind, std::string_view what) {
  if (peek().kind != kind) refuse_next(what);
  next();
}

bool Parser::at_call(std::string_view name, size_t ahead) const {
  return peek(ahead).is_name("T") && peek(ahead + 1).is(".") && peek(ahead + 2).is_name(name) &&
         !peek(ahead + 3).is(".");
}

void Parser::expect_call(std::string_view name) {
  if (!at_call(name)) refuse_next(fmt::format("'T.{}'", name));
  call_name();
}

std::string Parser::call_name() {
  expect_word("T");
  expect(".");
  std::string result = name("a name");
  while (take(".")) result += "." + name("a name");
  return result;
}

std::string Parser::name(std::string_view what) {
  if (peek().kind != Token::Kind::kName) refuse_next(what);
  return next().text;
}

std::string Parser::string() {
  if (peek().kind != Token::Kind::kString) refuse_next("a text in quotes");
  return next().text;
}

void Parser::refuse(const Token& at, std::string_view message) const {
  fail("{}:{}:{}: {}", source_, at.line, at.column, message);
}

void Parser::refuse_next(std::string_view expected) const {
  refuse(peek(), fmt::format("expected {}, got {}", expected, to_text(peek())));
}

// Names
// ----------------------------------------------------------------------------------------------------------------

void Parser::define(const Token& token, Named named) {
  if (!names_.emplace(token.text, std::move(named)).second || token.text == "T") {
    refuse(token, fmt::format("'{}' is defined already; give it another name", token.text));
  }
}

Buffer Parser::buffer_at(const Token& token) const {
  const auto found = names_.find(token.text);
  if (found == names_.end()) refuse(token, fmt::format("'{}' is not defined here", token.text));
  if (const auto* buffer = std::get_if<Buffer>(&found->second)) return *buffer;
  refuse(token, fmt::format("'{}' is a variable, and has no elements", token.text));
}

// Functions
// ------------------------------------------------------------------------------------------------------------

DType Parser::dtype(const Token& token, const std::string& text) const {
  return at(token, [&] { return DType::parse(text); });
}

Annotations Parser::notes() {
  Annotations result;
  expect("{");
  while (!take("}")) {
    if (!result.empty()) expect(",");
    const std::string key = string();
    expect(":");
    result[key] = peek().kind == Token::Kind::kString ? make_string(string()) : expr();
  }
  return result;
}

// Sizes of parameters may be variables that nothing else defines.
std::vector<Expr> Parser::shape(bool is_param) {
  expect("(");
  if (is_param) {
    for (size_t ahead = 0; !peek(ahead).is(")") && peek(ahead).kind != Token::Kind::kEnd; ++ahead) {
      const Token& token = peek(ahead);
      const bool is_size = token.kind == Token::Kind::kName && token.text != "T" && !peek(ahead + 1).is("(") &&
                           (ahead == 0 || !peek(ahead - 1).is("."));
      if (is_size && names_.find(token.text) == names_.end()) define(token, Var(token.text, kIndex));
    }
  }
  return list(")");
}

Buffer Parser::buffer(const Token& own, bool is_param) {
  BufferNode node;
  node.name = own.text;
  node.shape = shape(is_param);
  expect(",");
  const Token token = peek();
  node.dtype = dtype(token, string());
  while (peek().is(",") && peek(1).kind == Token::Kind::kName && peek(1).text != "annotations") {
    next();
    const Token key = next();
    expect("=");
    if (key.text == "scope") {
      node.scope = string();
    } else if (key.text == "strides") {
      node.strides = shape(is_param);
    } else if (key.text == "align") {
      const Expr align = integer(false);
      node.alignment = static_cast<int>(*as_int(align));
    } else {
      refuse(key, "expected 'scope', 'strides' or 'align'");
    }
  }
  return at(own, [&] { return make_buffer(std::move(node)); });
}

Param Parser::param() {
  const Token own = peek();
  name("a parameter's name");
  expect(":");
  if (!at_call("Buffer")) {
    expect_word("T");
    expect(".");
    name("a type");
    return std::get<Var>(names_.at(own.text));  // define_scalars() has seen it
  }
  call_name();
  expect("(");
  const Buffer made = buffer(own, true);
  expect(")");
  define(own, made);
  return made;
}

// The scalars of a function's head, which sizes of buffers before them may name.
void Parser::define_scalars() {
  for (size_t ahead = 0; peek(ahead).kind != Token::Kind::kNewline && peek(ahead).kind != Token::Kind::kEnd; ++ahead) {
    const bool is_param = peek(ahead).kind == Token::Kind::kName && peek(ahead + 1).is(":") &&
                          peek(ahead + 2).is_name("T") && peek(ahead + 3).is(".");
    const Token& type = peek(ahead + 4);
    if (is_param && !at_call("Buffer", ahead + 2)) define(peek(ahead), Var(peek(ahead).text, dtype(type, type.text)));
  }
}

PrimFunc Parser::function() {
  PrimFunc result;
  expect("@");
  expect_call("prim_func");
  expect(Token::Kind::kNewline, "the end of the line");
  expect_word("def");
  result.name = name("the function's name");
  define_scalars();
  expect("(");
  while (!take(")")) {
    if (!result.params.empty()) expect(",");
    result.params.push_back(param());
  }
  expect(":");
  expect(Token::Kind::kNewline, "the end of the line");
  expect(Token::Kind::kIndent, "a line that is indented further");
  if (at_call("func_attr")) {
    call_name();
    expect("(");
    result.annotations = notes();
    expect(")");
    expect(Token::Kind::kNewline, "the end of the line");
  }
  while (peek().kind == Token::Kind::kName && peek(1).is("=") && peek(2).is_name("T") &&
         peek(4).is_name("alloc_buffer")) {
    const Token own = next();
    next();
    call_name();
    expect("(");
    const Buffer made = buffer(own, false);
    expect(")");
    expect(Token::Kind::kNewline, "the end of the line");
    define(own, made);
    result.allocations.push_back(made);
  }
  if (peek().is_name("pass")) {
    next();
    expect(Token::Kind::kNewline, "the end of the line");
  } else {
    result.body = statements();
  }
  expect(Token::Kind::kDedent, "the end of the function");
  expect(Token::Kind::kEnd, "the end of the text");
  return result;
}

PrimFunc parse_function(std::string_view text, std::string_view source, const CallTouches& touches) {
  return Parser(text, source, touches).function();
}

}  // namespace vantage::ir
