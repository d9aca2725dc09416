// What statements mean: memory, loops, blocks, conditions. Expressions, kernels, calls and arguments have files of
// their own.
#include "base/tensor/random.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test::compiler_ir_interpreter_interpreter_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

Block block_of(std::string name, std::vector<Axis> axes, std::vector<Expr> bindings, Stmt body, Stmt init = {}) {
  Block block;
  block.name = std::move(name);
  block.axes = std::move(axes);
  block.bindings = std::move(bindings);
  block.body = std::move(body);
  block.init = std::move(init);
  return block;
}

}  // namespace

TEST_CASE("every index must be inside its dimension", "[unit]") {
  const Buffer a = make_buffer("A", {2, 3}, kInt32);
  const Var i("i"), j("j");
  Tensor x(kInt32, {2, 3});
  const auto run = [&](const Stmt& stmt) { interpret(function({a}, stmt), {&x}); };
  CHECK(ERROR_OF(run(loop(i, 2, loop(j, 4, store(a, {i, j}, 1))))) ==
        "index 3 in dimension 1 of A is outside its extent 3, in 'A[i, j]'");
  CHECK(integers(x) == std::vector<int64_t>{1, 1, 1, 0, 0, 0});
  CHECK(ERROR_OF(run(loop(i, 3, store(a, {i, 0}, 1)))) ==
        "index 2 in dimension 0 of A is outside its extent 2, in 'A[i, 0]'");
  CHECK(ERROR_OF(run(store(a, {0, 0}, load(a, {1, -1})))) ==
        "index -1 in dimension 1 of A is outside its extent 3, in 'A[1, -1]'");
}

TEST_CASE("an element that was allocated has no value until it is written", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Buffer b = make_buffer("B", {4, 2}, kInt32);
  const Var i("i"), n("n");
  Tensor x(kInt32, {4});
  const Stmt write = loop(i, 3, store(b, {i, 0}, i));
  const Stmt read = loop(i, 4, store(a, {i}, load(b, {i, 0})));
  const std::string expected = "B[3, 0] is read before it is written";
  CHECK(ERROR_OF(interpret(function({a}, seq({write, read}), {b}), {&x})) == expected);
  CHECK(integers(x) == std::vector<int64_t>{0, 1, 2, 0});
  CHECK(ERROR_OF(interpret(function({a}, make_stmt(Allocate(b, seq({write, read})))), {&x})) == expected);

  // Each execution of an allocation has elements of its own.
  const Stmt once = make_stmt(If(i == 0, store(b, {0, 0}, 5), {}));
  const Stmt fresh = loop(i, 2, make_stmt(Allocate(b, seq({once, store(a, {i}, load(b, {0, 0}))}))));
  CHECK(ERROR_OF(interpret(function({a}, fresh), {&x})) == "B[0, 0] is read before it is written");
  CHECK(integers(x) == std::vector<int64_t>{5, 1, 2, 0});
}

TEST_CASE("an allocation's size may depend on variables", "[unit]") {
  const Var n("n"), i("i"), j("j");
  const Buffer a = make_buffer("A", {n}, kInt32);
  const Buffer t = make_buffer("U", {i + 1}, kInt32);
  Tensor x(kInt32, {4});
  const Stmt last = store(a, {i}, load(t, {i}) * 10);
  interpret(function({a}, loop(i, n, make_stmt(Allocate(t, seq({loop(j, i + 1, store(t, {j}, j)), last}))))), {&x});
  CHECK(integers(x) == std::vector<int64_t>{0, 10, 20, 30});

  const Buffer twice = make_buffer("U", {n * 2}, kInt32);
  CHECK(ERROR_OF(interpret(function({a}, store(a, {0}, load(twice, {8})), {twice}), {&x})) ==
        "index 8 in dimension 0 of U is outside its extent 8, in 'U[8]'");
  const Buffer negative = make_buffer("U", {n - 5}, kInt32);
  CHECK(ERROR_OF(interpret(function({a}, {}, {negative}), {&x})) == "the size 'n - 5' of U is -1, expected at least 0");
  const Buffer huge = make_buffer("U", {cast(kInt64, n) << 40, 1 << 30}, kInt8);
  CHECK(ERROR_OF(interpret(function({a}, {}, {huge}), {&x})) ==
        "U is larger than the 64 GiB that the interpreter gives a buffer; run a smaller case");
}

TEST_CASE("strides and alignment of an allocation do not change what it holds", "[unit]") {
  const Var i("i"), j("j");
  const Buffer a = make_buffer("A", {3, 2}, kInt8);
  const Buffer t = make_buffer("T", {3, 2}, kInt8, "global", {1, 8}, 128);
  const Stmt in = loop(i, 3, loop(j, 2, store(t, {i, j}, cast(kInt8, i * 2 + j))));
  const Stmt out = loop(i, 3, loop(j, 2, store(a, {i, j}, load(t, {i, j}))));
  Tensor x(kInt8, {3, 2});
  interpret(function({a}, seq({in, out}), {t}), {&x});
  CHECK(integers(x) == std::vector<int64_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("loops of every kind run over their range in ascending order", "[unit]") {
  const Buffer a = make_buffer("A", {8}, kInt32);
  const Var i("i"), n("n");
  using enum ForKind;
  for (ForKind kind : {kSerial, kParallel, kVectorized, kUnrolled, kVirtualThread}) {
    Tensor x(kInt32, {8});
    // A[i] = 1 + A[i - 1], which only this order makes 1, 2, 3...
    const Expr before = if_then_else(i == 2, 0, load(a, {i - 1}));
    interpret(function({n, a}, loop_from(kind, i, 2, n, store(a, {i}, before + 1))), {4, &x});
    CHECK(integers(x) == std::vector<int64_t>{0, 0, 1, 2, 3, 4, 0, 0});
    Tensor untouched(kInt32, {8});
    interpret(function({n, a}, loop_from(kind, i, 2, n, store(a, {i}, 1))), {0, &untouched});
    interpret(function({n, a}, loop_from(kind, i, 2, n, store(a, {i}, 1))), {-3, &untouched});
    CHECK(integers(untouched) == std::vector<int64_t>(8, 0));
  }
}

TEST_CASE("a loop variable's type must hold its values", "[unit]") {
  const Var i("i", kInt8), m("m", kInt64);
  const Buffer a = make_buffer("A", {1000}, kInt32);
  Tensor x(kInt32, {1000});
  interpret(function({a}, loop(i, 128, store(a, {i}, 1))), {&x});
  CHECK(x.integer(127) == 1);
  CHECK(ERROR_OF(interpret(function({a}, loop(i, 129, store(a, {i}, 1))), {&x})) ==
        "the loop i runs from 0 for 129 iterations, which its type int8 does not hold");
  const Expr last = make_int(kInt64, INT64_MAX);
  interpret(function({a}, loop_from(ForKind::kSerial, m, last - 1, 1, store(a, {0}, 7))), {&x});
  CHECK(x.integer(0) == 7);
  CHECK(ERROR_OF(interpret(function({a}, loop_from(ForKind::kSerial, m, last, 5, store(a, {0}, 7))), {&x})) ==
        "the loop m runs from 9223372036854775807 for 5 iterations, which its type int64 does not hold");
  CHECK(ERROR_OF(interpret(function({a}, loop(m, Expr(2.0F), store(a, {0}, 7))), {&x})) ==
        "the extent of the loop m is 'T.float32(2)' of type float32, expected an integer");
}

TEST_CASE("an inner definition hides an outer one of the same variable", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Var i("i");
  Tensor x(kInt32, {4});
  const Stmt inner = make_stmt(Let(i, i * 10, store(a, {floor_div(i, 10)}, i)));
  interpret(function({a}, loop(i, 3, seq({inner, store(a, {3}, i)}))), {&x});
  CHECK(integers(x) == std::vector<int64_t>{0, 10, 20, 2});
}

TEST_CASE("conditions choose, sequences go on", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Var i("i");
  Tensor x(kInt32, {4});
  const Stmt other = make_stmt(If(i == 2, store(a, {i}, 200), {}));
  const Stmt chosen = make_stmt(If(i < 2, store(a, {i}, 100), other));
  interpret(function({a}, loop(i, 4, seq({chosen, store(a, {i}, load(a, {i}) + i)}))), {&x});
  CHECK(integers(x) == std::vector<int64_t>{100, 101, 202, 3});
}

TEST_CASE("types that statements mix are refused", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Var v("v", kInt64);
  Tensor x(kInt32, {4});
  const auto run = [&](const Stmt& stmt) { interpret(function({a}, stmt), {&x}); };
  const Stmt wide(std::make_shared<Store>(a, std::vector<Expr>{0}, make_int(kInt64, 1)));
  CHECK(ERROR_OF(run(wide)) == "what is stored in A is 'T.int64(1)' of type int64, expected int32");
  CHECK(ERROR_OF(run(make_stmt(Let(v, 1, store(a, {0}, 1))))) == "the value of v is '1' of type int32, expected int64");
  CHECK(ERROR_OF(run(make_stmt(If(1, store(a, {0}, 1), {})))) == "a condition is '1' of type int32, expected bool");
}

TEST_CASE("a reduction begins where all its reduce axes do", "[unit]") {
  const Buffer a = make_buffer("A", {3, 4}, kInt32);
  const Buffer s = make_buffer("S", {1}, kInt32);
  const Var i("i"), j("j"), vi("vi"), vj("vj"), v("v");
  Tensor x(kInt32, {3, 4});
  std::mt19937_64 random(1);
  fill(x, random, -100, 100);
  int64_t sum = 0;
  for (int64_t value : integers(x)) sum += value;

  Block block = block_of("S", {{vi, {0, 3}, AxisKind::kReduce}, {vj, {0, 4}, AxisKind::kReduce}, {v, {0, 1}}},
                         {i, j, 0}, store(s, {v}, load(s, {v}) + load(a, {vi, vj})), store(s, {v}, 0));
  Tensor result = array_of(kInt32, {12345});
  interpret(function({a, s}, loop(i, 3, loop(j, 4, make_stmt(block)))), {&x, &result});
  CHECK(result.integer(0) == sum);

  // Domains that begin elsewhere.
  block.axes[0].domain = {2, 3};
  block.bindings = {i + 2, j, 0};
  block.body = store(s, {v}, load(s, {v}) + load(a, {vi - 2, vj}));
  interpret(function({a, s}, loop(i, 3, loop(j, 4, make_stmt(block)))), {&x, &result});
  CHECK(result.integer(0) == sum);

  // Where the beginning comes last, what was added before is lost.
  block = block_of("S", {{vi, {0, 3}, AxisKind::kReduce}, {v, {0, 1}}}, {2 - i, 0},
                   store(s, {v}, load(s, {v}) + load(a, {vi, 0})), store(s, {v}, 0));
  interpret(function({a, s}, loop(i, 3, make_stmt(block))), {&x, &result});
  CHECK(result.integer(0) == x.integer(0));

  // Without an init, what is there is the beginning.
  block.init = {};
  block.bindings = {i, 0};
  interpret(function({a, s}, loop(i, 3, make_stmt(block))), {&x, &result});
  CHECK(result.integer(0) == x.integer(0) * 2 + x.integer(4) + x.integer(8));
}

TEST_CASE("a block runs where its predicate holds, and then inside its domains", "[unit]") {
  const Buffer a = make_buffer("A", {10}, kInt32);
  const Var i("i"), j("j"), v("v");
  // 3 * 4 covers 10 with 2 to spare.
  Block block = block_of("copy", {{v, {0, 10}}}, {i * 4 + j}, store(a, {v}, v + 1));
  const auto run = [&](const Block& b) {
    Tensor x(kInt32, {10});
    interpret(function({a}, loop(i, 3, loop(j, 4, make_stmt(b)))), {&x});
    return integers(x);
  };
  CHECK(ERROR_OF(run(block)) ==
        "axis v of block copy is bound to 10, outside its domain 0:10; a predicate must exclude that");
  block.predicate = i * 4 + j < 10;
  CHECK(run(block) == std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  block.predicate = v < 10;
  CHECK(run(block) == std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  block.axes[0].domain = {1, 9};
  CHECK(ERROR_OF(run(block)) ==
        "axis v of block copy is bound to 0, outside its domain 1:10; a predicate must exclude that");
  block.predicate = v < 10 && v > 0;
  CHECK(run(block) == std::vector<int64_t>{0, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  block.axes[0].domain = {0, i - 1};
  CHECK_THAT(ERROR_OF(run(block)), ContainsSubstring("axis v of block copy is bound to 1, outside its domain 0:-1;"));
}

TEST_CASE("what a predicate says of loops is asked before bindings read memory", "[unit]") {
  const Buffer a = make_buffer("A", {10}, kInt32), p = make_buffer("P", {5}, kInt32);
  const Var i("i"), j("j"), v("v");
  // Of 3 * 2 places there are 5.
  Block block = block_of("pick", {{v, {0, 10}}}, {load(p, {i * 2 + j})}, store(a, {v}, v + 1));
  const auto run = [&](const Block& b) {
    Tensor x(kInt32, {10}), places = array_of(kInt32, {7, 1, 4, 2, 9});
    interpret(function({a, p}, loop(i, 3, loop(j, 2, make_stmt(b)))), {&x, &places});
    return integers(x);
  };
  CHECK_THAT(ERROR_OF(run(block)), ContainsSubstring("index 5 in dimension 0 of P is outside its extent 5"));
  block.predicate = i * 2 + j < 5;
  CHECK(run(block) == std::vector<int64_t>{0, 2, 3, 0, 5, 0, 0, 8, 0, 10});
  block.predicate = i * 2 + j < 5 && v < 5;
  CHECK(run(block) == std::vector<int64_t>{0, 2, 3, 0, 5, 0, 0, 0, 0, 0});
}

TEST_CASE("an ordered axis sees what its earlier instances wrote", "[unit]") {
  const Buffer a = make_buffer("A", {6}, kInt32);
  const Var t("t"), v("v");
  Block block =
      block_of("scan", {{v, {2, 4}, AxisKind::kOrdered}}, {t + 2}, store(a, {v}, load(a, {v - 1}) + load(a, {v - 2})));
  Tensor x = array_of(kInt32, {1, 1, 0, 0, 0, 0});
  interpret(function({a}, loop(t, 4, make_stmt(block))), {&x});
  CHECK(integers(x) == std::vector<int64_t>{1, 1, 2, 3, 5, 8});
}

TEST_CASE("blocks nest", "[unit]") {
  const Buffer a = make_buffer("A", {4, 4}, kInt32);
  const Var i("i"), j("j"), vi("vi"), vj("vj"), vk("vk");
  const Block inner =
      block_of("inner", {{vk, {0, 4}}, {vj, {0, 4}}}, {vi * 2 + j, i}, store(a, {vk, vj}, vi * 100 + vj));
  const Block outer = block_of("outer", {{vi, {0, 2}}}, {i}, loop(j, 2, make_stmt(inner)));
  Tensor x(kInt32, {4, 4});
  interpret(function({a}, loop(i, 2, make_stmt(outer))), {&x});
  CHECK(x.at({1, 0}) == 0);
  CHECK(x.at({2, 1}) == 101);
  CHECK(x.at({3, 1}) == 101);
}

TEST_CASE("indices of one dimension may have different types", "[unit]") {
  const Buffer a = make_buffer("A", {8}, kInt32);
  const Var i("i"), j("j", kInt64), vi("vi"), vj("vj", kInt64);
  const Block block =
      block_of("copy", {{vi, {0, 4}}, {vj, {0, 8}}}, {i, j}, store(a, {vj}, load(a, {vj}) + load(a, {vi})));
  const PrimFunc f =
      function({a}, loop_from(ForKind::kSerial, j, make_int(kInt64, 4), 4, loop(i, 4, make_stmt(block))));
  Tensor x = array_of(kInt32, {1, 2, 3, 4, 0, 0, 0, 5});
  interpret(f, {&x});
  CHECK(integers(x) == std::vector<int64_t>{1, 2, 3, 4, 10, 10, 10, 15});
  CHECK_THAT(to_text(f), ContainsSubstring("T.writes(A[vj])"));
}

TEST_CASE("a tuple reduction keeps value and index together by Let", "[unit]") {
  const Buffer a = make_buffer("A", {3, 9}, kFloat32);
  const Buffer best = make_buffer("best", {3}, kFloat32);
  const Buffer where = make_buffer("where", {3}, kInt32);
  const Var i("i"), k("k"), vi("vi"), vk("vk"), value("value", kFloat32), index("index");
  const Expr better = load(a, {vi, vk}) > load(best, {vi});
  // Both are computed before either is stored.
  const Stmt update = make_stmt(Let(value, if_then_else(better, load(a, {vi, vk}), load(best, {vi})),
                                    make_stmt(Let(index, if_then_else(better, vk, load(where, {vi})),
                                                  seq({store(best, {vi}, value), store(where, {vi}, index)})))));
  const Stmt init = seq({store(best, {vi}, min_value(kFloat32)), store(where, {vi}, -1)});
  const Block block = block_of("argmax", {{vi, {0, 3}}, {vk, {0, 9}, AxisKind::kReduce}}, {i, k}, update, init);
  Tensor x(kFloat32, {3, 9}), top(kFloat32, {3}), at(kInt32, {3});
  std::mt19937_64 random(5);
  fill(x, random);
  interpret(function({a, best, where}, loop(i, 3, loop(k, 9, make_stmt(block)))), {&x, &top, &at});
  for (int64_t row = 0; row < 3; ++row) {
    int64_t expected = 0;
    for (int64_t c = 1; c < 9; ++c) {
      if (x.at({row, c}) > x.at({row, expected})) expected = c;
    }
    CHECK(at.integer(row) == expected);
    CHECK(top.number(row) == x.at({row, expected}));
  }
}

TEST_CASE("a run that takes too many steps is given up", "[unit]") {
  const Buffer a = make_buffer("A", {1}, kInt32);
  const Var i("i"), j("j", kInt64);
  Tensor x(kInt32, {1});
  InterpreterOptions options;
  options.max_steps = 1000;
  interpret(function({a}, loop(i, 1000, store(a, {0}, i))), {&x}, options);
  CHECK(ERROR_OF(interpret(function({a}, loop(i, 1001, store(a, {0}, i))), {&x}, options)) ==
        "main was given up after 1000 steps (loop iterations and threads); allow more or run a smaller case");
  const Stmt endless = loop(j, make_int(kInt64, INT64_MAX), store(a, {0}, 1));
  CHECK_THAT(ERROR_OF(interpret(function({a}, endless), {&x}, options)), ContainsSubstring("given up"));
  options.check_races = false;
  const auto threads = [&](int count) { return bound_loop("threadIdx.x", i, count, store(a, {0}, i)); };
  interpret(function({a}, threads(1000)), {&x}, options);
  CHECK_THAT(ERROR_OF(interpret(function({a}, threads(1001)), {&x}, options)), ContainsSubstring("given up"));
}

TEST_CASE("parallel iterations that touch one element are told on request", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Buffer t = make_buffer("T", {1}, kInt32);
  const Var i("i"), j("j");
  Tensor x(kInt32, {4}), y(kInt32, {4});
  InterpreterOptions check;
  check.check_parallel = true;
  const auto parallel = [&](Stmt body) { return loop(ForKind::kParallel, i, 4, std::move(body)); };
  const auto run = [&](const Stmt& stmt, const InterpreterOptions& options) {
    interpret(function({a}, stmt, {t}), {&x}, options);
  };
  const Stmt scratch = seq({store(t, {0}, i), store(a, {i}, load(t, {0}))});
  run(parallel(scratch), {});
  CHECK(ERROR_OF(run(parallel(scratch), check)) ==
        "T[0] is written by iteration 0 of the parallel loop i and written by iteration 1 of the parallel loop i at "
        "the same time; give each its own elements");
  const Stmt neighbour = store(a, {i}, load(a, {floor_mod(i + 1, 4)}));
  CHECK(ERROR_OF(run(parallel(neighbour), check)) ==
        "A[1] is read by iteration 0 of the parallel loop i and written by iteration 1 of the parallel loop i at the "
        "same time; give each its own elements");

  // Elements of their own, in one allocation or in one each; one loop after another; reading together.
  run(parallel(store(a, {i}, load(a, {i}) + 1)), check);
  run(parallel(make_stmt(Allocate(t, scratch))), check);
  run(loop(j, 3, parallel(store(a, {floor_mod(i + j, 4)}, i))), check);
  const Buffer u = make_buffer("U", {4}, kInt32);
  interpret(function({a, u}, parallel(store(u, {i}, load(a, {0}) + load(a, {i})))), {&x, &y}, check);
  // Inner parallel loops belong to their outer iteration.
  run(parallel(loop(ForKind::kParallel, j, 3, store(a, {i}, j))), check);
}

}  // namespace vantage::test::compiler_ir_interpreter_interpreter_test
