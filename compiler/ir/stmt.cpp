#include "compiler/ir/stmt.h"

#include "base/error.h"
#include "compiler/ir/printer.h"

namespace vantage::ir {

namespace {

template <typename Node>
Stmt share(Node node) {
  return Stmt(std::make_shared<const Node>(std::move(node)));
}

void append(std::vector<Stmt>& all, const Stmt& stmt) {
  if (!stmt) return;
  if (const auto* inner = stmt.as<Seq>()) {
    for (const Stmt& s : inner->stmts) append(all, s);
  } else {
    all.push_back(stmt);
  }
}

}  // namespace

Stmt store(const Buffer& buffer, std::vector<Expr> indices, Expr value) {
  if (indices.size() != buffer->rank()) {
    fail("{} has {} dimensions, but is written with {} indices", buffer->name, buffer->rank(), indices.size());
  }
  load(buffer, indices);  // the same rules
  value = adapt_literal(value, buffer->dtype);
  if (value.dtype() != buffer->dtype) {
    fail("{} holds {}, but is to be given '{}' of type {}; cast it", buffer->name, name(buffer->dtype), to_text(value),
         name(value.dtype()));
  }
  return share(Store(buffer, std::move(indices), std::move(value)));
}

Stmt make_stmt(For loop) {
  VANTAGE_CHECK(loop.body);
  return share(std::move(loop));
}

Stmt make_stmt(Block block) {
  VANTAGE_CHECK(block.body && block.axes.size() == block.bindings.size());
  return share(std::move(block));
}

Stmt make_stmt(If node) {
  VANTAGE_CHECK(node.then);
  return share(std::move(node));
}

Stmt make_stmt(Let node) {
  VANTAGE_CHECK(node.body);
  return share(std::move(node));
}

Stmt make_stmt(Allocate node) {
  VANTAGE_CHECK(node.body);
  return share(std::move(node));
}

Stmt evaluate(Expr call) {
  VANTAGE_CHECK(call.kind() == ExprKind::kCall);
  return share(Evaluate(std::move(call)));
}

Stmt seq(std::vector<Stmt> stmts) {
  std::vector<Stmt> all;
  for (const Stmt& stmt : stmts) append(all, stmt);
  if (all.empty()) return {};
  if (all.size() == 1) return all.front();
  return share(Seq(std::move(all)));
}

Stmt loop(const Var& var, Expr extent, Stmt body) {
  return loop(ForKind::kSerial, var, std::move(extent), std::move(body));
}

Stmt loop(ForKind kind, const Var& var, Expr extent, Stmt body) {
  For node;
  node.loop = kind;
  node.var = var;
  node.min = make_zero(var.dtype());
  node.extent = adapt_literal(extent, var.dtype());
  node.body = std::move(body);
  return make_stmt(std::move(node));
}

}  // namespace vantage::ir
