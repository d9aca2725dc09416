#include <algorithm>

#include "compiler/ir/arith/linear.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/structural.h"

namespace vantage::ir {

namespace {

// The reducer of a block that folds one value by one operation, as te's reductions do; null for others.
ReducerPtr reducer_of(const Stmt& init, const Stmt& body) {
  const auto *first = init.as<Store>(), *fold = body.as<Store>();
  if (first == nullptr || fold == nullptr || first->buffer != fold->buffer) return nullptr;
  const auto* op = fold->value.as<Binary>();
  const auto* before = op == nullptr ? nullptr : op->a.as<Load>();
  if (before == nullptr || before->buffer != fold->buffer) return nullptr;
  const auto same = [](const Expr& a, const Expr& b) { return structural_equal(a, b); };
  if (!std::equal(before->indices.begin(), before->indices.end(), fold->indices.begin(), fold->indices.end(), same)) {
    return nullptr;
  }
  const char* name = op->op == BinaryOp::kAdd   ? "sum"
                     : op->op == BinaryOp::kMul ? "product"
                     : op->op == BinaryOp::kMin ? "min"
                     : op->op == BinaryOp::kMax ? "max"
                                                : nullptr;
  if (name == nullptr) return nullptr;
  Reducer reducer;
  reducer.name = name;
  reducer.lhs = {Var("x0", op->dtype)};
  reducer.rhs = {Var("y0", op->dtype)};
  reducer.result = {make_binary(op->op, reducer.lhs[0], reducer.rhs[0])};
  // Not what the block begins with, which may be any value.
  const DType type = first->value.dtype();
  reducer.identity = {op->op == BinaryOp::kAdd   ? make_zero(type)
                      : op->op == BinaryOp::kMul ? make_const(type, 1)
                      : op->op == BinaryOp::kMin ? max_value(type)
                                                 : min_value(type)};
  return std::make_shared<const Reducer>(std::move(reducer));
}

}  // namespace

Stmt Parser::body() {
  expect(Token::Kind::kNewline, "the end of the line");
  expect(Token::Kind::kIndent, "a line that is indented further");
  const Stmt inside = statements();
  expect(Token::Kind::kDedent, "the end of what is indented");
  return inside;
}

// Up to where they are indented less. What a let or an allocation defines lasts to there.
Stmt Parser::statements() {
  const Deeper deeper(*this);
  std::vector<Stmt> all;
  while (peek().kind != Token::Kind::kDedent && peek().kind != Token::Kind::kEnd) {
    const Token own = peek();
    const bool is_let = own.kind == Token::Kind::kName && own.text != "T" && peek(1).is(":");
    const bool is_allocation = own.kind == Token::Kind::kName && peek(1).is("=");
    if (!is_let && !is_allocation) {
      all.push_back(statement());
      continue;
    }
    next();
    next();
    const auto rest = [&] {
      expect(Token::Kind::kNewline, "the end of the line");
      const Stmt below = statements();
      if (!below) refuse(own, fmt::format("'{}' is not used: a statement must follow", own.text));
      return below;
    };
    if (is_let) {
      const Token token = peek();
      const DType type = dtype(token, call_name());
      expect("=");
      const Expr value = expr();
      if (value.dtype() != type) refuse(token, fmt::format("the value is of type {}", vantage::name(value.dtype())));
      const Var var(own.text, type);
      define(own, var);
      all.push_back(make_stmt(Let(var, value, rest())));
    } else {
      auto [made, annotations] = allocation(own);
      define(own, made);
      all.push_back(make_stmt(Allocate(made, rest(), std::move(annotations))));
    }
    break;
  }
  return seq(std::move(all));
}

Stmt Parser::statement() {
  const Token token = peek();
  operations_ = 0;
  if (token.is_name("for")) return for_loop();
  if (token.is_name("with")) return with();
  if (token.is_name("if")) return if_else();
  if (token.is_name("T")) {
    const Expr value = expr();
    expect(Token::Kind::kNewline, "the end of the line");
    if (value.kind() != ExprKind::kCall) refuse(token, "a value that nothing takes; expected a call or a store");
    return evaluate(value);
  }
  if (token.is_name("pass")) {
    refuse(token, "'pass' stands in a function without statements only; leave out what does nothing");
  }
  if (token.kind == Token::Kind::kName) return store();
  refuse_next("a statement");
}

Stmt Parser::store() {
  const Token token = next();
  const Buffer buffer = buffer_at(token);
  expect("[");
  std::vector<Expr> indices = list("]");
  expect("=");
  const Expr value = expr();
  expect(Token::Kind::kNewline, "the end of the line");
  return at(token, [&] { return ir::store(buffer, std::move(indices), value); });
}

Expr Parser::extent_between(const Expr& min, const Expr& end) const {
  if (min.dtype() != end.dtype() || !min.dtype().is_signed()) refuse(peek(), "a range needs two integers of one type");
  Linear extent = Linear::of(end);
  extent.add(Linear::of(min), -1);
  if (!extent.exact) refuse(peek(), "this range is too large");
  return extent.to_expr(min.dtype());
}

Stmt Parser::for_loop() {
  next();
  std::vector<Token> vars = {peek()};
  name("a loop's variable");
  while (take(",")) {
    vars.push_back(peek());
    name("a loop's variable");
  }
  expect_word("in");
  const Token token = peek();
  std::vector<For> loops(vars.size());
  const std::string kind = token.is_name("range") ? next().text : call_name();
  expect("(");
  std::vector<Expr> bounds;
  while (!peek().is(")") && !(peek().kind == Token::Kind::kName && peek(1).is("="))) {
    bounds.push_back(expr());
    if (!take(",")) break;
  }
  const bool is_grid = kind == "grid";
  if (is_grid ? bounds.size() != vars.size() : vars.size() != 1 || bounds.empty() || bounds.size() > 2) {
    refuse(token, is_grid ? "T.grid takes an extent for each variable" : "a loop takes an extent, or two bounds");
  }
  static const std::map<std::string, ForKind> kKinds = {
      {"range", ForKind::kSerial},          {"grid", ForKind::kSerial},           {"serial", ForKind::kSerial},
      {"parallel", ForKind::kParallel},     {"vectorized", ForKind::kVectorized}, {"unroll", ForKind::kUnrolled},
      {"thread_binding", ForKind::kThread}, {"vthread", ForKind::kVirtualThread},
  };
  const auto known = kKinds.find(kind);
  if (known == kKinds.end()) refuse(token, fmt::format("there are no loops T.{}", kind));
  for (size_t i = 0; i < loops.size(); ++i) {
    const bool from_zero = is_grid || bounds.size() == 1;
    loops[i].min = from_zero ? make_zero(bounds[i].dtype()) : bounds[0];
    loops[i].extent = from_zero ? bounds[i] : extent_between(bounds[0], bounds[1]);
    if (!loops[i].extent.dtype().is_signed()) refuse(token, "an extent is an integer");
    loops[i].var = Var(vars[i].text, loops[i].extent.dtype());
    loops[i].loop = known->second;
    define(vars[i], loops[i].var);
  }
  while (!take(")")) {
    const Token argument = peek();
    const std::string what = name("'thread' or 'annotations'");
    expect("=");
    if (what == "thread") {
      loops[0].thread = string();
    } else if (what == "annotations") {
      loops[0].annotations = notes();
    } else {
      refuse(argument, "expected 'thread' or 'annotations'");
    }
    take(",");
  }
  expect(":");
  Stmt inside = body();
  if (!inside) refuse(token, "this loop holds nothing");
  for (size_t i = loops.size(); i-- > 0;) {
    loops[i].body = std::move(inside);
    inside = at(token, [&] { return make_stmt(std::move(loops[i])); });
  }
  return inside;
}

Stmt Parser::if_else() {
  const Token token = next();
  const Expr condition = expr();
  if (!condition.dtype().is_bool()) refuse(token, "the condition is no bool");
  expect(":");
  const Stmt then = body();
  Stmt otherwise;
  if (peek().is_name("else")) {
    next();
    expect(":");
    otherwise = body();
  }
  return make_stmt(If(condition, then, otherwise));
}

// A block, or what a let or an allocation defines for a part of a sequence.
Stmt Parser::with() {
  const Token token = next();
  if (at_call("block")) return block(token);
  if (at_call("allocate")) {
    auto [made, annotations] = allocation(token);
    expect_word("as");
    const Token own = peek();
    BufferNode named = *made;
    named.name = name("a buffer's name");
    const Buffer buffer = make_buffer(std::move(named));
    define(own, buffer);
    expect(":");
    return make_stmt(Allocate(buffer, body(), std::move(annotations)));
  }
  expect_call("LetStmt");
  expect("(");
  const Expr value = expr();
  expect(")");
  expect_word("as");
  const Token own = peek();
  const Var var(name("a variable's name"), value.dtype());
  define(own, var);
  expect(":");
  return make_stmt(Let(var, value, body()));
}

std::pair<Buffer, Annotations> Parser::allocation(const Token& own) {
  expect_call("allocate");
  expect("(");
  const Buffer made = buffer(own, false);
  Annotations annotations;
  if (take(",")) {
    expect_word("annotations");
    expect("=");
    annotations = notes();
  }
  expect(")");
  return {made, std::move(annotations)};
}

Range Parser::domain() {
  if (!take("(")) {
    const Expr extent = expr();
    return {make_zero(extent.dtype()), extent};
  }
  // "(min, end)", or an extent in parentheses.
  const Expr first = expr();
  if (!take(",")) {
    expect(")");
    return {make_zero(first.dtype()), first};
  }
  const Expr end = expr();
  expect(")");
  return {first, extent_between(first, end)};
}

// T.reads and T.writes, which follow from the rest: they may name buffers that the block allocates below.
void Parser::skip_regions() {
  const Token begin = peek();
  expect("(");
  for (int open = 1; open > 0;) {
    const Token& token = next();
    if (token.kind == Token::Kind::kEnd || token.kind == Token::Kind::kNewline)
      refuse(begin, "this bracket has no end");
    if (token.is("(") || token.is("[")) ++open;
    if (token.is(")") || token.is("]")) --open;
  }
  expect(Token::Kind::kNewline, "the end of the line");
}

Stmt Parser::block(const Token& begin) {
  const Deeper deeper(*this);
  Block result;
  call_name();
  expect("(");
  result.name = string();
  expect(")");
  expect(":");
  expect(Token::Kind::kNewline, "the end of the line");
  expect(Token::Kind::kIndent, "a line that is indented further");
  while (peek().kind == Token::Kind::kName && peek(1).is("=") && peek(2).is_name("T") && peek(4).is_name("axis")) {
    const Token own = next();
    next();
    const Token token = peek();
    const std::string kind = call_name();
    Axis axis;
    axis.kind = kind == "axis.spatial"  ? AxisKind::kSpatial
                : kind == "axis.reduce" ? AxisKind::kReduce
                                        : AxisKind::kOrdered;
    if (axis.kind == AxisKind::kOrdered && kind != "axis.scan") {
      refuse(token, "expected T.axis.spatial, T.axis.reduce or T.axis.scan");
    }
    expect("(");
    axis.domain = domain();
    expect(",");
    result.bindings.push_back(expr());
    expect(")");
    expect(Token::Kind::kNewline, "the end of the line");
    axis.var = Var(own.text, axis.domain.extent.dtype());
    define(own, axis.var);
    result.axes.push_back(std::move(axis));
  }
  if (at_call("where")) {
    call_name();
    expect("(");
    result.predicate = expr();
    expect(")");
    expect(Token::Kind::kNewline, "the end of the line");
  }
  expect_call("reads");
  skip_regions();
  expect_call("writes");
  skip_regions();
  if (at_call("block_attr")) {
    call_name();
    expect("(");
    result.annotations = notes();
    expect(")");
    expect(Token::Kind::kNewline, "the end of the line");
  }
  if (peek().is_name("with") && peek(1).is_name("T") && peek(3).is_name("init")) {
    next();
    call_name();
    expect("(");
    expect(")");
    expect(":");
    result.init = body();
  }
  result.body = statements();
  expect(Token::Kind::kDedent, "the end of what is indented");
  if (!result.body) refuse(begin, fmt::format("the block {} does nothing", result.name));
  if (result.init) result.reducer = reducer_of(result.init, result.body);
  return at(begin, [&] { return make_stmt(std::move(result)); });
}

}  // namespace vantage::ir
