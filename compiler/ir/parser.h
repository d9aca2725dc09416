// The state of parse_function(), and its parts: one file for expressions, one for statements, one for functions.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "compiler/ir/lexer.h"
#include "compiler/ir/parse_function.h"

namespace vantage::ir {

class Parser {
 public:
  Parser(std::string_view text, std::string_view source, const CallTouches& touches)
      : source_(source), tokens_(tokens(text, source)), touches_(touches) {}

  PrimFunc function();

 private:
  // Tokens
  // -------------------------------------------------------------------------------------------------------------
  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool take(std::string_view symbol);
  void expect(std::string_view symbol);
  void expect_word(std::string_view word);
  void expect(Token::Kind kind, std::string_view what);
  // "T." and words between dots: "Buffer", "vta.gemm".
  void expect_call(std::string_view name);
  bool at_call(std::string_view name, size_t ahead = 0) const;
  std::string call_name();
  std::string name(std::string_view what);
  std::string string();
  [[noreturn]] void refuse(const Token& at, std::string_view message) const;
  [[noreturn]] void refuse_next(std::string_view expected) const;
  // What `make` makes; an Error of it gets this place.
  template <typename Make>
  auto at(const Token& token, const Make& make) const {
    try {
      return make();
    } catch (const Error& error) {
      refuse(token, error.what());
    }
  }
  // Deeper texts would exhaust the stack.
  struct Deeper {
    explicit Deeper(Parser& p) : parser(p) {
      if (++parser.depth_ > kMaxDepth) parser.refuse(parser.peek(), "this is nested too deep");
    }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };
  static constexpr int kMaxDepth = 200;
  // Of one statement.
  static constexpr int kMostOperations = 2000;

  // Names
  // --------------------------------------------------------------------------------------------------------------
  using Named = std::variant<Var, Buffer>;
  void define(const Token& token, Named named);
  Buffer buffer_at(const Token& token) const;

  // Expressions (parse_expr.cpp)
  // ---------------------------------------------------------------------------------------
  Expr expr(int level = 0);
  Expr unary(int level);
  Expr atom();
  Expr call_or_literal();
  Expr literal(DType dtype);
  Expr integer(bool negative);
  Expr element(const Token& name);
  Expr intrinsic(const Token& begin, const std::string& name);
  Expr extern_call(const Token& begin, bool has_value);
  std::vector<Expr> arguments(const std::string& function);
  std::vector<Expr> list(std::string_view end);
  Range range();
  std::vector<Range> box();
  bool is_region() const;

  // Statements (parse_stmt.cpp)
  // ----------------------------------------------------------------------------------------
  Stmt body();  // indented
  Stmt statements();
  Stmt statement();
  Stmt for_loop();
  Stmt with();
  Stmt block(const Token& begin);
  Stmt if_else();
  Stmt store();
  std::pair<Buffer, Annotations> allocation(const Token& own);
  Range domain();
  Expr extent_between(const Expr& min, const Expr& end) const;
  void skip_regions();

  // Functions (parse_function.cpp)
  // -------------------------------------------------------------------------------------
  void define_scalars();
  Param param();
  Buffer buffer(const Token& own, bool is_param);
  std::vector<Expr> shape(bool is_param);
  DType dtype(const Token& token, const std::string& text) const;
  Annotations notes();

  std::string source_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  int operations_ = 0;
  const CallTouches& touches_;
  std::map<std::string, Named> names_;
};

}  // namespace vantage::ir
