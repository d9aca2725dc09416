#include "compiler/ir/visitor.h"

#include <map>

#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "tests/catch.h"
#include "tests/compiler/ir/parts.h"
#include "tests/compiler/ir/random_index.h"

namespace vantage::test::compiler_ir_visitor_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

// How often each kind of node is visited.
struct Counter final : Visitor {
  using Visitor::visit;
  std::map<ExprKind, int> exprs;
  std::map<StmtKind, int> stmts;
  void visit(const Expr& expr) override {
    ++exprs[expr.kind()];
    Visitor::visit(expr);
  }
  void visit(const Stmt& stmt) override {
    ++stmts[stmt.kind()];
    Visitor::visit(stmt);
  }
};

// Every variable and buffer that a tree defines or uses.
struct Names final : Visitor {
  using Visitor::visit;
  std::map<const void*, int> seen;
  void visit_var(const VarNode& node) override { ++seen[&node]; }
  void visit_for(const For& node) override {
    ++seen[node.var.get()];
    Visitor::visit_for(node);
  }
  void visit_block(const Block& node) override {
    for (const Axis& axis : node.axes) ++seen[axis.var.get()];
    Visitor::visit_block(node);
  }
  void visit_let(const Let& node) override {
    ++seen[node.var.get()];
    Visitor::visit_let(node);
  }
  void visit_allocate(const Allocate& node) override {
    ++seen[node.buffer.get()];
    Visitor::visit_allocate(node);
  }
  void visit_load(const Load& node) override {
    ++seen[node.buffer.get()];
    Visitor::visit_load(node);
  }
  void visit_store(const Store& node) override {
    ++seen[node.buffer.get()];
    Visitor::visit_store(node);
  }
};

std::map<const void*, int> names(const Stmt& stmt) {
  Names result;
  result.visit(stmt);
  return result.seen;
}

class Identity final : public Mutator {};

// Drops every store to one buffer.
class Drop final : public Mutator {
 public:
  explicit Drop(Buffer buffer) : buffer_(std::move(buffer)) {}

 protected:
  Stmt visit_store(const Store& node, const Stmt& self) override { return node.buffer == buffer_ ? Stmt() : self; }

 private:
  Buffer buffer_;
};

test::Parts with_allocate() {
  test::Parts parts;
  parts.allocate_in_function = false;
  return parts;
}

}  // namespace

TEST_CASE("a visitor reaches every node", "[unit]") {
  Counter counter;
  counter.visit(with_allocate().build().body);
  for (const StmtKind kind :
       {StmtKind::kFor, StmtKind::kBlock, StmtKind::kIf, StmtKind::kLet, StmtKind::kAllocate, StmtKind::kEvaluate}) {
    CHECK(counter.stmts[kind] == 1);
  }
  CHECK(counter.stmts[StmtKind::kStore] == 5);  // init, two in the let, else, last
  CHECK(counter.stmts[StmtKind::kSeq] == 2);
  for (const ExprKind kind :
       {ExprKind::kIntImm, ExprKind::kFloatImm, ExprKind::kStringImm, ExprKind::kVar, ExprKind::kCast,
        ExprKind::kBinary, ExprKind::kSelect, ExprKind::kLoad, ExprKind::kCall, ExprKind::kView}) {
    INFO(static_cast<int>(kind));
    CHECK(counter.exprs[kind] > 0);
  }
  CHECK(counter.exprs[ExprKind::kLoad] == 1);
  CHECK(counter.exprs[ExprKind::kView] == 1);
}

TEST_CASE("what does not change is shared", "[unit]") {
  const Stmt body = with_allocate().build().body;
  CHECK(Identity().visit(body).same_as(body));
  CHECK(substitute(body, {}).same_as(body));
  CHECK(substitute(body, {{Var("stranger").get(), Expr(1)}}).same_as(body));
  std::mt19937_64 random(6);
  const Var i("i"), n("n");
  for (int round = 0; round < 1000; ++round) {
    const Expr e = test::random_int(random, {n, i}, 4);
    REQUIRE(Identity().visit(e).same_as(e));
  }
}

TEST_CASE("a substitution changes what it must and shares the rest", "[unit]") {
  const Var i("i"), n("n"), p("p", kBool);
  const Buffer a = make_buffer("A", {16}, kInt32), b = make_buffer("B", {16}, kInt32);
  const Stmt first = store(a, {n}, 1), second = store(a, {i}, load(b, {i}) + n);
  const Stmt all = seq({first, second, make_stmt(If(p, first, {}))});
  const Stmt got = substitute(all, {{i.get(), Expr(3)}});
  CHECK(to_text(got) == "A[n] = 1\nA[3] = B[3] + n\nif p:\n    A[n] = 1\n");
  CHECK(got.as<Seq>()->stmts[0].same_as(first));
  CHECK(got.as<Seq>()->stmts[2].same_as(all.as<Seq>()->stmts[2]));
  CHECK(to_text(substitute(all, {}, {{a.get(), b}})) == "B[n] = 1\nB[i] = B[i] + n\nif p:\n    B[n] = 1\n");
  // Literals that come to meet are carried out; conditions that are decided leave one branch.
  CHECK(to_text(substitute(i * 4 + n, {{i.get(), Expr(3)}, {n.get(), Expr(2)}})) == "14");
  CHECK(to_text(substitute(all, {{p.get(), Expr(true)}})) == "A[n] = 1\nA[i] = B[i] + n\nA[n] = 1\n");
  CHECK(to_text(substitute(all, {{p.get(), Expr(false)}})) == "A[n] = 1\nA[i] = B[i] + n\n");
  const Range range = substitute(Range{i, n}, {{i.get(), n}});
  CHECK(to_text(range.min) == "n");
  // All at once: what is put in is not looked at again.
  CHECK(to_text(substitute(i - n, {{i.get(), n}, {n.get(), i}})) == "n - i");
}

TEST_CASE("a substitution reaches every place of a statement", "[unit]") {
  const Var n("n"), i("i"), v("v"), t("t");
  const Buffer a = make_buffer("A", {16}, kInt32);
  const Buffer local = make_buffer("L", {n, 2}, kInt32, "local", {n * 2, 1});
  Block block;
  block.name = "B";
  block.axes = {{v, {n, n + 1}, AxisKind::kReduce}};
  block.bindings = {i + n};
  block.predicate = v < n;
  block.init = store(local, {n, 0}, 0);
  const Expr view(std::make_shared<View>(a, std::vector<Range>{{n, n}}, Touch::kWrite));
  block.body = make_stmt(Let(t, n,
                             seq({evaluate(Expr(std::make_shared<Call>(kVoid, "f", std::vector<Expr>{view}))),
                                  store(a, {t}, load(local, {n, 1}))})));
  For outer;
  outer.var = i;
  outer.min = n;
  outer.extent = n * 3;
  outer.body = make_stmt(block);
  const Stmt all = make_stmt(Allocate(local, make_stmt(outer)));
  const Stmt got = substitute(all, {{n.get(), Expr(4)}});
  CHECK_FALSE(uses_var(got, n));
  CHECK(to_text(got) == R"(L = T.allocate((4, 2), "int32", scope="local", strides=(8, 1))
for i in range(4, 16):
    with T.block("B"):
        v = T.axis.reduce((4, 9), i + 4)
        T.where(v < 4)
        T.reads()
        T.writes(L[4, 0], A[4:8])
        with T.init():
            L[4, 0] = 0
        t: T.int32 = 4
        T.call_extern("f", T.writes(A[4:8]))
        A[t] = L[4, 1]
)");
}

TEST_CASE("statements that become nothing take along what only held them", "[unit]") {
  const Var i("i"), j("j");
  const Buffer a = make_buffer("A", {16}, kInt32), b = make_buffer("B", {16}, kInt32);
  const Stmt to_a = store(a, {i}, 1), to_b = store(b, {i}, 1);
  const auto text = [&](const Stmt& s) {
    const Stmt got = Drop(a).visit(s);
    return got ? to_text(got) : "";
  };
  CHECK(text(to_a) == "");
  CHECK(text(seq({to_a, to_b})) == "B[i] = 1\n");
  CHECK(text(seq({to_a, to_a})) == "");
  CHECK(text(loop(j, 4, to_a)) == "");
  CHECK(text(make_stmt(Let(j, 4, to_a))) == "");
  CHECK(text(make_stmt(Allocate(b, to_a))) == "");
  CHECK(text(make_stmt(If(i < 4, to_a, {}))) == "");
  CHECK(text(make_stmt(If(i < 4, to_a, to_b))) == "if not i < 4:\n    B[i] = 1\n");
  CHECK(text(make_stmt(If(i < 4, to_b, to_a))) == "if i < 4:\n    B[i] = 1\n");
  Block block;
  block.name = "block";
  block.body = to_b;
  block.init = to_a;
  CHECK(text(make_stmt(block)) == "with T.block(\"block\"):\n    T.reads()\n    T.writes(B[i])\n    B[i] = 1\n");
  block.body = to_a;
  CHECK(text(make_stmt(block)) == "");
}

TEST_CASE("sequences are flat", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Stmt s = store(a, {0}, 1);
  CHECK_FALSE(static_cast<bool>(seq({})));
  CHECK_FALSE(static_cast<bool>(seq({Stmt(), seq({})})));
  CHECK(seq({Stmt(), s}).same_as(s));
  CHECK(seq({s, seq({s, seq({s, Stmt()})})}).as<Seq>()->stmts.size() == 3);
}

TEST_CASE("a fresh copy has variables and buffers of its own", "[unit]") {
  for (test::Parts parts : {with_allocate(), test::Parts()}) {
    const PrimFunc function = parts.build();
    const Stmt copy = fresh_copy(function.body);
    CHECK(structural_equal(function.body, copy));
    CHECK(structural_hash(function.body) == structural_hash(copy));
    // Only what is free is shared.
    std::map<const void*, bool> free = {{parts.free_var.get(), true}, {parts.free_buffer.get(), true}};
    for (const Buffer& buffer : function.allocations) free[buffer.get()] = true;
    const auto before = names(function.body), after = names(copy);
    for (const auto& [what, uses] : after) CHECK(before.count(what) == free.count(what));
    CHECK(before.size() == after.size());
  }
}

TEST_CASE("a fresh copy renames what nothing uses, and sizes that use what is renamed", "[unit]") {
  const Var i("i"), j("j");
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Stmt unused = loop(i, 4, store(a, {0}, 1));
  CHECK_FALSE(fresh_copy(unused).as<For>()->var.same_as(i));
  CHECK(structural_equal(unused, fresh_copy(unused)));
  const Buffer row = make_buffer("R", {i + 1}, kInt32, "local", {i + 2});
  const Stmt triangle = loop(i, 4, make_stmt(Allocate(row, loop(j, i + 1, store(row, {j}, 0)))));
  const Stmt copy = fresh_copy(triangle);
  CHECK(structural_equal(triangle, copy));
  CHECK_FALSE(uses_var(copy, i));
  CHECK(copy.as<For>()->body.as<Allocate>()->buffer->name == "R");
  // Annotations are kept.
  const Stmt noted = make_stmt(Allocate(row, store(row, {0}, 0), {{"note", 1}}));
  CHECK(fresh_copy(noted).as<Allocate>()->annotations.size() == 1);
}

TEST_CASE("variables are found wherever they are", "[unit]") {
  const Var i("i"), j("j");
  const Buffer a = make_buffer("A", {4}, kInt32);
  CHECK(uses_var(i + j, j));
  CHECK(uses_var(if_then_else(j < 0, i, i), j));
  CHECK(uses_var(load(a, {j}) + i, j));
  CHECK_FALSE(uses_var(i + 1, j));
  CHECK(uses_var(loop(i, j, store(a, {0}, 1)), j));
  CHECK_FALSE(uses_var(loop(j, i, store(a, {0}, 1)), j));  // defined, not used
  CHECK(uses_var(make_stmt(Allocate(make_buffer("L", {4}, kInt32, "local", {j}), store(a, {0}, 1))), j));
  CHECK(uses_var(i + j, [&](const VarNode* v) { return v->name == "j"; }));
}

}  // namespace vantage::test::compiler_ir_visitor_test
