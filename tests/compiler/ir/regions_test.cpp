#include "compiler/ir/regions.h"

#include "compiler/ir/printer.h"
#include "tests/catch.h"

namespace vantage::test::compiler_ir_regions_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

std::string text(const std::vector<BufferRegion>& regions) {
  std::string result;
  for (const BufferRegion& region : regions) result += (result.empty() ? "" : ", ") + to_text(region);
  return result;
}

std::string text(const Regions& r) {
  return text(r.reads) + " -> " + text(r.writes);
}

std::string of(const Stmt& stmt) {
  Analyzer analyzer;
  return text(regions(stmt, analyzer));
}

Block block_of(std::vector<Axis> axes, const Stmt& body, const Stmt& init = {}) {
  Block block;
  block.name = "C";
  block.axes = std::move(axes);
  for (const Axis& axis : block.axes) block.bindings.push_back(axis.var);
  block.body = body;
  block.init = init;
  return block;
}

struct World {
  Var i{"i"}, j{"j"}, k{"k"}, n{"n"}, x{"x"};
  Buffer a = make_buffer("A", {64, 64}, kInt32), b = make_buffer("B", {64, 64}, kInt32),
         c = make_buffer("C", {64, 64}, kInt32), v = make_buffer("V", {64}, kInt32);
};

}  // namespace

TEST_CASE_METHOD(World, "loops relax to the box that they touch", "[unit]") {
  CHECK(of(store(v, {x}, 1)) == " -> V[x]");
  CHECK(of(loop(i, 8, store(v, {i}, load(a, {x, i})))) == "A[x, 0:8] -> V[0:8]");
  CHECK(of(loop(i, 8, store(v, {x * 8 + i}, load(v, {i})))) == "V[0:8] -> V[x * 8:x * 8 + 8]");
  CHECK(of(loop(i, n, store(v, {i}, 1))) == " -> V[0:n]");
  // Strides: the box has the elements between as well.
  CHECK(of(loop(i, 8, store(v, {i * 4 + 1}, 1))) == " -> V[1:30]");
  CHECK(of(loop(i, 8, store(v, {63 - i * 2}, 1))) == " -> V[49:64]");
  CHECK(of(loop(i, 4, loop(j, 8, store(v, {i * 8 + j}, 1)))) == " -> V[0:32]");
  CHECK(of(loop(i, 64, store(a, {floor_div(i, 8), floor_mod(i, 8)}, 1))) == " -> A[0:8, 0:8]");
  // A loop that begins elsewhere, and one inside that depends on it.
  For from;
  from.var = i;
  from.min = 2;
  from.extent = 3;
  from.body = loop(j, i, store(v, {i + j}, 1));
  CHECK(of(make_stmt(from)) == " -> V[2:8]");
}

TEST_CASE_METHOD(World, "several accesses are one box each buffer, in order of first access", "[unit]") {
  CHECK(of(loop(i, 8, store(v, {i}, load(b, {i, 0}) + load(a, {i, 1}) + load(b, {i + 1, 0})))) ==
        "B[0:9, 0], A[0:8, 1] -> V[0:8]");
  CHECK(of(seq({store(v, {x}, 1), store(v, {x + 3}, 1)})) == " -> V[x:x + 4]");
  CHECK(of(seq({store(v, {x}, 1), store(v, {n}, 1)})) == " -> V[T.min(x, n):T.max(x + 1, n + 1)]");
  CHECK(of(seq({store(v, {1}, 1), loop(i, 4, store(v, {i + 4}, 1))})) == " -> V[1:8]");
}

TEST_CASE_METHOD(World, "some buffers can be looked at alone", "[unit]") {
  const auto of_some = [](const Stmt& stmt, const std::vector<Buffer>& only) {
    Analyzer analyzer;
    return text(regions(stmt, analyzer, only));
  };
  const Stmt stmt = seq({loop(i, 8, store(v, {i}, load(b, {i, 0}) + load(a, {i, 1}))),
                         loop(j, 4, store(c, {j, 0}, load(b, {j + 6, 0}))), loop(k, 4, store(a, {k, 5}, 1))});
  CHECK(of_some(stmt, {a}) == "A[0:8, 1] -> A[0:4, 5]");
  CHECK(of_some(stmt, {b}) == "B[0:10, 0] -> ");
  CHECK(of_some(stmt, {c, v}) == " -> V[0:8], C[0:4, 0]");
  CHECK(of_some(stmt, {}) == of(stmt));
  // One that is read for another's index.
  CHECK(of_some(loop(i, 8, store(a, {load(v, {i}), i}, 1)), {v}) == "V[0:8] -> ");
  CHECK(of_some(loop(i, 8, store(a, {load(v, {i}), i}, 1)), {b}) == " -> ");
}

TEST_CASE_METHOD(World, "where no bound is known the whole dimension is touched", "[unit]") {
  CHECK(of(loop(i, 8, store(a, {load(v, {i}), i}, 1))) == "V[0:8] -> A[0:64, 0:8]");
  CHECK(of(loop(i, 8, store(v, {i * i}, 1))) == " -> V[0:64]");
  CHECK(of(loop(i, 8, store(v, {if_then_else(i < 4, i, 0)}, 1))) == " -> V[0:64]");
  // Nothing moves: the element itself.
  CHECK(of(store(a, {load(v, {x}), x}, 1)) == "V[x] -> A[V[x], x]");
  // What a condition keeps from being read tells no bound: who asks stands outside of the condition.
  const Expr element = load(a, {load(v, {x - 1}), x});
  CHECK(of(store(b, {0, x}, if_then_else(x > 0, element, 0))) == "V[x - 1], A[0:64, x] -> B[0, x]");
  CHECK(of(store(b, {0, x}, if_then_else(x < 1, 0, element))) == "V[x - 1], A[0:64, x] -> B[0, x]");
  CHECK(of(make_stmt(If(x > 0, store(b, {0, x}, element), {}))) == "V[x - 1], A[0:64, x] -> B[0, x]");
  CHECK(of(make_stmt(If(x < 1, store(b, {0, x}, 1), store(b, {0, x}, element)))) == "V[x - 1], A[0:64, x] -> B[0, x]");
  CHECK(of(make_stmt(If(x > 0 && element > 0, store(b, {0, x}, 1), {}))) == "V[x - 1], A[0:64, x] -> B[0, x]");
  CHECK(of(make_stmt(If(element > 0, store(b, {0, x}, 1), {}))) == "V[x - 1], A[V[x - 1], x] -> B[0, x]");
}

TEST_CASE_METHOD(World, "what a condition guards is touched as if it always held", "[unit]") {
  const Expr padded = if_then_else(i >= 1 && i < 65, load(v, {i - 1}), 0);
  CHECK(of(loop(i, 66, store(b, {0, i}, padded))) == "V[-1:65] -> B[0, 0:66]");
  CHECK(of(loop(i, 16, make_stmt(If(i < 10, store(v, {i}, 1), store(v, {i + 1}, load(v, {0})))))) == "V[0] -> V[0:17]");
}

TEST_CASE_METHOD(World, "a block touches boxes on its own axes", "[unit]") {
  const Var vi("vi"), vj("vj"), vk("vk");
  const Stmt update = store(c, {vi, vj}, load(c, {vi, vj}) + load(a, {vi, vk}) * load(b, {vk, vj}));
  const std::vector<Axis> axes = {
      {vi, {0, 64}, AxisKind::kSpatial}, {vj, {0, 64}, AxisKind::kSpatial}, {vk, {0, 64}, AxisKind::kReduce}};
  const Block block = block_of(axes, update, store(c, {vi, vj}, 0));
  CHECK(text(block_regions(block)) == "A[vi, vk], B[vk, vj] -> C[vi, vj]");
  // Without a reduce axis the old value is read.
  const Block plain = block_of({axes[0], axes[1]}, store(c, {vi, vj}, load(c, {vi, vj}) + 1));
  CHECK(text(block_regions(plain)) == "C[vi, vj] -> C[vi, vj]");
  // Loops inside the block relax.
  const Block tile = block_of({axes[0]}, loop(j, 16, store(v, {vi * 16 + j}, load(a, {vi, j}))));
  CHECK(text(block_regions(tile)) == "A[vi, 0:16] -> V[vi * 16:vi * 16 + 16]");
}

TEST_CASE_METHOD(World, "blocks and lets inside are seen through their bindings", "[unit]") {
  const Var vi("vi"), vj("vj"), t("t"), vo("vo");
  Block inner = block_of({{vi, {0, 64}, AxisKind::kSpatial}}, loop(j, vi + 1, store(a, {vi, j}, load(v, {vi}))));
  inner.bindings = {x * 8 + i};
  CHECK(of(loop(i, 8, make_stmt(inner))) == "V[x * 8:x * 8 + 8] -> A[x * 8:x * 8 + 8, 0:x * 8 + 8]");
  CHECK(of(loop(i, 8, make_stmt(Let(t, i * 2, store(v, {t + 1}, t))))) == " -> V[1:16]");
  // A binding that loads is a read; an index made of it is unknown.
  inner.bindings = {load(v, {i})};
  inner.body = store(a, {vi, 0}, 1);
  CHECK(of(loop(i, 8, make_stmt(inner))) == "V[0:8] -> A[0:64, 0]");
  inner.bindings = {i};
  inner.predicate = load(b, {vi, 0}) < 3;
  CHECK(of(loop(i, 8, make_stmt(inner))) == "B[0:8, 0] -> A[0:8, 0]");
  // A block in a block: in terms of the outer one's axes.
  inner = block_of({{vi, {0, 64}, AxisKind::kSpatial}}, store(v, {vi}, 1));
  inner.bindings = {vo * 4 + i};
  const Block outer = block_of({{vo, {0, 16}, AxisKind::kSpatial}}, loop(i, 4, make_stmt(inner)));
  CHECK(text(block_regions(outer)) == " -> V[vo * 4:vo * 4 + 4]");
}

TEST_CASE_METHOD(World, "views touch what they say", "[unit]") {
  const auto instruction = [&](Touch touch) {
    const Expr view(std::make_shared<View>(a, std::vector<Range>{{i * 4, 4}, {x, 2}}, touch));
    return evaluate(Expr(std::make_shared<Call>(kVoid, "f", std::vector<Expr>{view})));
  };
  CHECK(of(loop(i, 3, instruction(Touch::kRead))) == "A[0:12, x:x + 2] -> ");
  CHECK(of(loop(i, 3, instruction(Touch::kWrite))) == " -> A[0:12, x:x + 2]");
  CHECK(of(loop(i, 3, instruction(Touch::kReadWrite))) == "A[0:12, x:x + 2] -> A[0:12, x:x + 2]");
  // Sizes are seen through bindings, too.
  const Var t("t");
  const Expr view(std::make_shared<View>(v, std::vector<Range>{{t, t + 1}}, Touch::kRead));
  const Stmt call = evaluate(Expr(std::make_shared<Call>(kVoid, "f", std::vector<Expr>{view})));
  CHECK(of(make_stmt(Let(t, x * 2, call))) == "V[x * 2:x * 4 + 1] -> ");
}

TEST_CASE("a hull is around both boxes", "[unit]") {
  Analyzer analyzer;
  const Var n("n");
  analyzer.bind(n, Bounds{8, 100});
  const auto box = hull({{0, 4}, {n, 1}}, {{2, 8}, {0, n}}, analyzer);
  CHECK(to_text(box[0]) == "0:10");
  CHECK(to_text(box[1]) == "0:n + 1");
  CHECK(to_text(hull({{n, 4}}, {{n + 2, 1}}, analyzer)[0]) == "n:n + 4");
}

}  // namespace vantage::test::compiler_ir_regions_test
