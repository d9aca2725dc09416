#include "compiler/ir/visitor.h"

#include "base/error.h"

namespace vantage::ir {

namespace {

template <typename Node>  // an expression or a statement
bool same(const Node& a, const Node& b) {
  return a.same_as(b);
}
bool same(const Range& a, const Range& b) {
  return a.min.same_as(b.min) && a.extent.same_as(b.extent);
}
bool same(const Axis& a, const Axis& b) {
  return same(a.domain, b.domain);
}

// A list with each element as `visit` gives it; none where all stay as they are.
template <typename T, typename Visit>
std::optional<std::vector<T>> changed_list(const std::vector<T>& list, const Visit& visit) {
  std::optional<std::vector<T>> result;
  for (size_t i = 0; i < list.size(); ++i) {
    T now = visit(list[i]);
    if (same(now, list[i])) continue;
    if (!result) result = list;
    (*result)[i] = std::move(now);
  }
  return result;
}

}  // namespace

void Visitor::visit(const Expr& expr) {
  switch (expr.kind()) {
    case ExprKind::kIntImm:
    case ExprKind::kFloatImm:
    case ExprKind::kStringImm: return;
    case ExprKind::kVar: return visit_var(*expr.as<VarNode>());
    case ExprKind::kCast: return visit(expr.as<Cast>()->value);
    case ExprKind::kNot: return visit(expr.as<Not>()->value);
    case ExprKind::kBinary: return visit_binary(*expr.as<Binary>());
    case ExprKind::kSelect: return visit_select(*expr.as<Select>());
    case ExprKind::kLoad: return visit_load(*expr.as<Load>());
    case ExprKind::kCall: return visit_call(*expr.as<Call>());
    case ExprKind::kView: return visit_view(*expr.as<View>());
  }
}

void Visitor::visit_load(const Load& node) {
  for (const Expr& index : node.indices) visit(index);
}

void Visitor::visit_call(const Call& node) {
  for (const Expr& argument : node.arguments) visit(argument);
}

void Visitor::visit_view(const View& node) {
  for (const Range& range : node.box) {
    visit(range.min);
    visit(range.extent);
  }
}

void Visitor::visit_select(const Select& node) {
  visit(node.condition);
  visit(node.if_true);
  visit(node.if_false);
}

void Visitor::visit_binary(const Binary& node) {
  visit(node.a);
  visit(node.b);
}

void Visitor::visit(const Stmt& stmt) {
  if (!stmt) return;
  switch (stmt.kind()) {
    case StmtKind::kStore: return visit_store(*stmt.as<Store>());
    case StmtKind::kFor: return visit_for(*stmt.as<For>());
    case StmtKind::kBlock: return visit_block(*stmt.as<Block>());
    case StmtKind::kSeq:
      for (const Stmt& s : stmt.as<Seq>()->stmts) visit(s);
      return;
    case StmtKind::kIf: return visit_if(*stmt.as<If>());
    case StmtKind::kLet: return visit_let(*stmt.as<Let>());
    case StmtKind::kAllocate: return visit_allocate(*stmt.as<Allocate>());
    case StmtKind::kEvaluate: return visit_evaluate(*stmt.as<Evaluate>());
  }
}

void Visitor::visit_store(const Store& node) {
  for (const Expr& index : node.indices) visit(index);
  visit(node.value);
}

void Visitor::visit_for(const For& node) {
  visit(node.min);
  visit(node.extent);
  visit(node.body);
}

void Visitor::visit_block(const Block& node) {
  for (const Axis& axis : node.axes) {
    visit(axis.domain.min);
    visit(axis.domain.extent);
  }
  for (const Expr& binding : node.bindings) visit(binding);
  visit(node.predicate);
  if (node.init) visit(node.init);
  visit(node.body);
}

void Visitor::visit_if(const If& node) {
  visit(node.condition);
  visit(node.then);
  if (node.otherwise) visit(node.otherwise);
}

void Visitor::visit_let(const Let& node) {
  visit(node.value);
  visit(node.body);
}

void Visitor::visit_allocate(const Allocate& node) {
  for (const Expr& size : node.buffer->shape) visit(size);
  for (const Expr& stride : node.buffer->strides) visit(stride);
  visit(node.body);
}

void Visitor::visit_evaluate(const Evaluate& node) {
  visit(node.call);
}

Expr Mutator::visit(const Expr& expr) {
  switch (expr.kind()) {
    case ExprKind::kIntImm:
    case ExprKind::kFloatImm:
    case ExprKind::kStringImm: return expr;
    case ExprKind::kVar: return visit_var(*expr.as<VarNode>(), expr);
    case ExprKind::kCast: {
      const Expr value = visit(expr.as<Cast>()->value);
      return value.same_as(expr.as<Cast>()->value) ? expr : cast(expr.dtype(), value);
    }
    case ExprKind::kNot: {
      const Expr value = visit(expr.as<Not>()->value);
      return value.same_as(expr.as<Not>()->value) ? expr : !value;
    }
    case ExprKind::kBinary: return visit_binary(*expr.as<Binary>(), expr);
    case ExprKind::kSelect: return visit_select(*expr.as<Select>(), expr);
    case ExprKind::kLoad: return visit_load(*expr.as<Load>(), expr);
    case ExprKind::kCall: return visit_call(*expr.as<Call>(), expr);
    case ExprKind::kView: return visit_view(*expr.as<View>(), expr);
  }
  return expr;
}

Range Mutator::visit(const Range& range) {
  return {visit(range.min), visit(range.extent)};
}

std::vector<Expr> Mutator::visit(const std::vector<Expr>& exprs) {
  return changed(exprs).value_or(exprs);
}

std::optional<std::vector<Expr>> Mutator::changed(const std::vector<Expr>& exprs) {
  return changed_list(exprs, [&](const Expr& expr) { return visit(expr); });
}

Expr Mutator::visit_var(const VarNode&, const Expr& self) {
  return self;
}

Expr Mutator::visit_load(const Load& node, const Expr& self) {
  const Buffer buffer = visit_buffer(node.buffer);
  auto indices = changed(node.indices);
  if (buffer == node.buffer && !indices) return self;
  return Expr(std::make_shared<Load>(buffer, indices ? std::move(*indices) : node.indices));
}

Expr Mutator::visit_call(const Call& node, const Expr& self) {
  auto arguments = changed(node.arguments);
  return arguments ? Expr(std::make_shared<Call>(node.dtype, node.function, std::move(*arguments))) : self;
}

Expr Mutator::visit_view(const View& node, const Expr& self) {
  const Buffer buffer = visit_buffer(node.buffer);
  auto box = changed_list(node.box, [&](const Range& range) { return visit(range); });
  if (buffer == node.buffer && !box) return self;
  return Expr(std::make_shared<View>(buffer, box ? std::move(*box) : node.box, node.touch));
}

Expr Mutator::visit_select(const Select& node, const Expr& self) {
  const Expr condition = visit(node.condition);
  const Expr if_true = visit(node.if_true);
  const Expr if_false = visit(node.if_false);
  if (same(condition, node.condition) && same(if_true, node.if_true) && same(if_false, node.if_false)) return self;
  return if_then_else(condition, if_true, if_false);
}

Expr Mutator::visit_binary(const Binary& node, const Expr& self) {
  const Expr a = visit(node.a);
  const Expr b = visit(node.b);
  return a.same_as(node.a) && b.same_as(node.b) ? self : make_binary(node.op, a, b);
}

Stmt Mutator::visit(const Stmt& stmt) {
  if (!stmt) return {};
  switch (stmt.kind()) {
    case StmtKind::kStore: return visit_store(*stmt.as<Store>(), stmt);
    case StmtKind::kFor: return visit_for(*stmt.as<For>(), stmt);
    case StmtKind::kBlock: return visit_block(*stmt.as<Block>(), stmt);
    case StmtKind::kSeq: return visit_seq(*stmt.as<Seq>(), stmt);
    case StmtKind::kIf: return visit_if(*stmt.as<If>(), stmt);
    case StmtKind::kLet: return visit_let(*stmt.as<Let>(), stmt);
    case StmtKind::kAllocate: return visit_allocate(*stmt.as<Allocate>(), stmt);
    case StmtKind::kEvaluate: return visit_evaluate(*stmt.as<Evaluate>(), stmt);
  }
  return stmt;
}

Stmt Mutator::visit_store(const Store& node, const Stmt& self) {
  const Buffer buffer = visit_buffer(node.buffer);
  auto indices = changed(node.indices);
  const Expr value = visit(node.value);
  if (buffer == node.buffer && !indices && value.same_as(node.value)) return self;
  return store(buffer, indices ? std::move(*indices) : node.indices, value);
}

Stmt Mutator::visit_for(const For& node, const Stmt& self) {
  const Expr min = visit(node.min);
  const Expr extent = visit(node.extent);
  const Stmt body = visit(node.body);
  if (!body) return {};
  if (min.same_as(node.min) && extent.same_as(node.extent) && body.same_as(node.body)) return self;
  For result = node;
  result.min = min;
  result.extent = extent;
  result.body = body;
  return make_stmt(std::move(result));
}

Stmt Mutator::visit_block(const Block& node, const Stmt& self) {
  auto axes = changed_list(node.axes, [&](Axis axis) {
    axis.domain = visit(axis.domain);
    return axis;
  });
  auto bindings = changed(node.bindings);
  Expr predicate = visit(node.predicate);
  Stmt init = visit(node.init);
  Stmt body = visit(node.body);
  if (!body) return {};
  if (!axes && !bindings && predicate.same_as(node.predicate) && init.same_as(node.init) && body.same_as(node.body)) {
    return self;
  }
  Block result = node;
  if (axes) result.axes = std::move(*axes);
  if (bindings) result.bindings = std::move(*bindings);
  result.predicate = std::move(predicate);
  result.init = std::move(init);
  result.body = std::move(body);
  return make_stmt(std::move(result));
}

Stmt Mutator::visit_seq(const Seq& node, const Stmt& self) {
  auto stmts = changed_list(node.stmts, [&](const Stmt& stmt) { return visit(stmt); });
  return stmts ? seq(std::move(*stmts)) : self;
}

Stmt Mutator::visit_if(const If& node, const Stmt& self) {
  const Expr condition = visit(node.condition);
  const Stmt then = visit(node.then);
  const Stmt otherwise = node.otherwise ? visit(node.otherwise) : Stmt();
  if (condition.same_as(node.condition) && then.same_as(node.then) && otherwise.same_as(node.otherwise)) return self;
  if (const int64_t* value = as_int(condition)) return *value != 0 ? then : otherwise;
  if (!then && !otherwise) return {};
  if (!then) return make_stmt(If(!condition, otherwise, {}));
  return make_stmt(If(condition, then, otherwise));
}

Stmt Mutator::visit_let(const Let& node, const Stmt& self) {
  const Expr value = visit(node.value);
  const Stmt body = visit(node.body);
  if (!body) return {};
  if (value.same_as(node.value) && body.same_as(node.body)) return self;
  return make_stmt(Let(node.var, value, body));
}

Stmt Mutator::visit_allocate(const Allocate& node, const Stmt& self) {
  const Buffer buffer = visit_buffer(node.buffer);
  const Stmt body = visit(node.body);
  if (!body) return {};
  if (buffer == node.buffer && body.same_as(node.body)) return self;
  return make_stmt(Allocate(buffer, body, node.annotations));
}

Stmt Mutator::visit_evaluate(const Evaluate& node, const Stmt& self) {
  const Expr call = visit(node.call);
  return call.same_as(node.call) ? self : evaluate(call);
}

}  // namespace vantage::ir
