// Loops bound to GPU indices: threads, barriers, memory of threads and blocks, races.
#include "base/tensor/random.h"
#include "tests/catch.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test::compiler_ir_interpreter_kernel_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

const std::string kTx = "threadIdx.x", kTy = "threadIdx.y", kBx = "blockIdx.x", kBy = "blockIdx.y";

Stmt when(const Expr& condition, const Stmt& then) {
  return make_stmt(If(condition, then, {}));
}

// out[b] = the sum of A[b, 0:16] by 16 threads that fold halves in shared memory.
PrimFunc tree_sum(bool first_barrier, bool inner_barrier) {
  const Buffer a = make_buffer("A", {3, 16}, kInt32);
  const Buffer out = make_buffer("out", {3}, kInt32);
  const Buffer s = make_buffer("S", {16}, kInt32, "shared");
  const Var b("b"), t("t"), step("step"), width("width");
  const Expr half = make_int(kInt32, 8) >> step;
  const Stmt fold = when(t < width, store(s, {t}, load(s, {t}) + load(s, {t + width})));
  const Stmt round = make_stmt(Let(width, half, seq({fold, inner_barrier ? barrier() : Stmt()})));
  const Stmt body = seq({store(s, {t}, load(a, {b, t})), first_barrier ? barrier() : Stmt(), loop(step, 4, round),
                         when(t == 0, store(out, {b}, load(s, {0})))});
  return function({a, out}, bound_loop(kBx, b, 3, bound_loop(kTx, t, 16, body)), {s});
}

}  // namespace

TEST_CASE("threads reduce in shared memory with barriers", "[unit]") {
  Tensor a(kInt32, {3, 16}), out(kInt32, {3});
  std::mt19937_64 random(1);
  fill(a, random, -1000, 1000);
  interpret(tree_sum(true, true), {&a, &out});
  for (int64_t b = 0; b < 3; ++b) {
    int64_t sum = 0;
    for (int64_t i = 0; i < 16; ++i) sum += a.integer(b * 16 + i);
    CHECK(out.integer(b) == sum);
  }
}

TEST_CASE("a missing barrier is caught", "[unit]") {
  Tensor a(kInt32, {3, 16}), out(kInt32, {3});
  CHECK(ERROR_OF(interpret(tree_sum(false, true), {&a, &out})) ==
        "S[8] is read before it is written in thread (threadIdx.x 0) of block (blockIdx.x 0); if another thread writes "
        "it, a storage_sync is missing");
  CHECK(ERROR_OF(interpret(tree_sum(true, false), {&a, &out})) ==
        "S[1] is read by thread (threadIdx.x 0) and written by thread (threadIdx.x 1) at the same time; put a "
        "storage_sync between them or give each thread its own elements");
  // What a GPU makes of it is not told when nobody asks: here, one order of many.
  InterpreterOptions trusting;
  trusting.check_races = false;
  interpret(tree_sum(true, false), {&a, &out}, trusting);
}

TEST_CASE("two threads must not touch an element at once unless both read", "[unit]") {
  const Buffer a = make_buffer("A", {8}, kInt32);
  const Buffer b = make_buffer("B", {8}, kInt32);
  const Var t("t"), u("u");
  Tensor x(kInt32, {8}), y(kInt32, {8});
  const auto run = [&](const Stmt& body) { interpret(function({a, b}, bound_loop(kTx, t, 8, body)), {&x, &y}); };
  const std::string remedy = "; put a storage_sync between them or give each thread its own elements";
  CHECK(ERROR_OF(run(store(a, {0}, 1))) ==
        "A[0] is written by thread (threadIdx.x 0) and written by thread (threadIdx.x 1) at the same time" + remedy);
  CHECK(ERROR_OF(run(seq({when(t == 3, store(a, {5}, 1)), store(b, {t}, load(a, {5}))}))) ==
        "A[5] is read by thread (threadIdx.x 0) and written by thread (threadIdx.x 3) at the same time" + remedy);
  CHECK(ERROR_OF(run(seq({when(t == 0, store(a, {5}, 1)), store(b, {t}, load(a, {5}))}))) ==
        "A[5] is written by thread (threadIdx.x 0) and read by thread (threadIdx.x 1) at the same time" + remedy);
  // The writer was among the readers, and not the last one.
  CHECK_THAT(ERROR_OF(run(seq({store(b, {t}, load(a, {5})), barrier(), store(b, {t}, load(a, {5})),
                               when(t == 7, store(a, {5}, 1))}))),
             ContainsSubstring("A[5] is read by thread (threadIdx.x 0) and written by thread (threadIdx.x 7)"));
  // A barrier between, elements of one's own, reading together.
  run(seq({when(t == 0, store(a, {5}, 1)), barrier(), store(b, {t}, load(a, {5})), barrier(), store(a, {7 - t}, t),
           store(a, {7 - t}, load(a, {7 - t}) + 1)}));
  CHECK(integers(x) == std::vector<int64_t>{8, 7, 6, 5, 4, 3, 2, 1});
  CHECK(integers(y) == std::vector<int64_t>(8, 1));
}

TEST_CASE("blocks do not wait for each other, so they must not share what they write", "[unit]") {
  const Buffer a = make_buffer("A", {8}, kInt32);
  const Var b("b"), c("c"), t("t");
  Tensor x(kInt32, {8});
  const auto run = [&](const Stmt& stmt) { interpret(function({a}, stmt), {&x}); };
  CHECK(ERROR_OF(run(bound_loop(kBx, b, 2, bound_loop(kBy, c, 2, store(a, {c}, 1))))) ==
        "A[0] is written by block (blockIdx.x 0, blockIdx.y 0) and written by block (blockIdx.x 1, blockIdx.y 0) at "
        "the same time; give each its own elements");
  CHECK_THAT(ERROR_OF(run(bound_loop(kBx, b, 4, bound_loop(kTx, t, 2, store(a, {b * 2 + t}, load(a, {t})))))),
             ContainsSubstring("A[0] is written by block (blockIdx.x 0) and read by block (blockIdx.x 1)"));
  const Stmt other_thread = when(b == 0, store(a, {t}, 1));
  CHECK_THAT(ERROR_OF(run(bound_loop(kBx, b, 4,
                                     bound_loop(kTx, t, 2, seq({other_thread, when(b == 1, store(a, {1 - t}, 2))}))))),
             ContainsSubstring("A[1] is written by block (blockIdx.x 0) and written by block (blockIdx.x 1)"));
  // Kernels one after another are ordered, in a loop and in a sequence.
  x = Tensor(kInt32, {8});
  const Stmt kernel = bound_loop(kBx, b, 4, bound_loop(kTx, t, 2, store(a, {b * 2 + t}, load(a, {b * 2 + t}) + 1)));
  const Stmt mirror = bound_loop(kBx, b, 4, store(a, {7 - b}, load(a, {7 - b}) + 10));
  run(seq({loop(c, 3, kernel), mirror}));
  CHECK(integers(x) == std::vector<int64_t>{3, 3, 3, 3, 13, 13, 13, 13});
}

TEST_CASE("all threads must reach a barrier, and the same one", "[unit]") {
  const Buffer a = make_buffer("A", {8}, kInt32);
  const Var t("t"), i("i");
  Tensor x(kInt32, {8});
  const auto run = [&](const Stmt& body) { interpret(function({a}, bound_loop(kTx, t, 8, body)), {&x}); };
  CHECK(ERROR_OF(run(when(t >= 2, barrier()))) ==
        "barrier not reached by all threads: in the kernel of the loop t thread (threadIdx.x 2) waits at a "
        "storage_sync, but thread (threadIdx.x 0) has ended; move the storage_sync out of conditions and loops that "
        "differ between threads");
  CHECK_THAT(ERROR_OF(run(when(t < 2, barrier()))),
             ContainsSubstring("thread (threadIdx.x 0) waits at a storage_sync, but thread (threadIdx.x 2) has ended"));
  CHECK_THAT(ERROR_OF(run(loop(i, if_then_else(t == 7, 2, 3), barrier()))),
             ContainsSubstring("thread (threadIdx.x 0) waits at a storage_sync, but thread (threadIdx.x 7) has ended"));
  CHECK(ERROR_OF(run(make_stmt(If(t < 5, barrier(), seq({store(a, {t}, 1), barrier()}))))) ==
        "barrier not reached by all threads: in the kernel of the loop t thread (threadIdx.x 0) waits at one "
        "storage_sync, thread (threadIdx.x 5) at another; move them out of conditions that differ between threads");
  run(loop(i, 3, seq({barrier(), when(i == 1, barrier())})));
}

TEST_CASE("a barrier outside of kernels, or for a single thread, is none", "[unit]") {
  const Buffer a = make_buffer("A", {2}, kInt32);
  const Var b("b"), t("t");
  Tensor x(kInt32, {2});
  interpret(function({a}, seq({barrier(), store(a, {0}, 1), barrier()})), {&x});
  interpret(function({a}, bound_loop(kBx, b, 2, seq({barrier(), store(a, {b}, b + 5), barrier()}))), {&x});
  CHECK(integers(x) == std::vector<int64_t>{5, 6});
}

TEST_CASE("loops with one tag are one index", "[unit]") {
  const Buffer a = make_buffer("A", {4, 8}, kInt32);
  const Buffer out = make_buffer("out", {4, 8}, kInt32);
  const Buffer s = make_buffer("S", {8}, kInt32, "shared");
  const Var b("b"), t("t"), u("u"), v("v");
  Tensor x(kInt32, {4, 8}), y(kInt32, {4, 8});
  std::mt19937_64 random(2);
  fill(x, random);
  const auto check = [&] {
    for (int64_t e = 0; e < 32; ++e) CHECK(y.integer(e) == x.integer(e / 8 * 8 + 7 - e % 8));
    y = Tensor(kInt32, {4, 8});
  };
  const Stmt fetch = bound_loop(kTx, u, 8, store(s, {u}, load(a, {b, u})));
  // An inner loop, which does not multiply, and one beside it that begins elsewhere.
  const Stmt nested = bound_loop(kTx, t, 8, seq({fetch, barrier(), store(out, {b, t}, load(s, {7 - t}))}));
  interpret(function({a, out}, bound_loop(kBx, b, 4, nested), {s}), {&x, &y});
  check();
  For shifted;
  shifted.var = v;
  shifted.min = 10;
  shifted.extent = 8;
  shifted.loop = ForKind::kThread;
  shifted.thread = kTx;
  shifted.body = store(out, {b, v - 10}, load(s, {17 - v}));
  const Stmt beside = seq({fetch, barrier(), make_stmt(shifted)});
  interpret(function({a, out}, bound_loop(kBx, b, 4, beside), {s}), {&x, &y});
  check();
  // Nothing orders the two without the barrier.
  CHECK_THAT(
      ERROR_OF(interpret(function({a, out}, bound_loop(kBx, b, 4, seq({fetch, make_stmt(shifted)})), {s}), {&x, &y})),
      ContainsSubstring("S[7] is read before it is written in thread (threadIdx.x 0)"));

  shifted.extent = 9;
  CHECK(
      ERROR_OF(interpret(function({a, out}, bound_loop(kBx, b, 4, seq({fetch, make_stmt(shifted)})), {s}), {&x, &y})) ==
      "the loops u and v are both bound to threadIdx.x, but have the extents 8 and 9; they are one index and must "
      "agree");
}

TEST_CASE("threads of every dimension run from the beginning", "[unit]") {
  const Buffer a = make_buffer("A", {4, 3}, kInt32);
  const Var t("t"), u("u"), k("k");
  Tensor x(kInt32, {4, 3});
  const auto run = [&](const Stmt& stmt) { interpret(function({a}, stmt), {&x}); };
  // The loop of another dimension sits deeper, below a serial one and a condition.
  const Stmt deep = loop(k, 2, when(t != 1, bound_loop(kTy, u, 3, store(a, {t, u}, load(a, {t, u}) + t + u + 1))));
  run(bound_loop(kTx, t, 4, deep));
  CHECK(integers(x) == std::vector<int64_t>{2, 4, 6, 0, 0, 0, 6, 8, 10, 8, 10, 12});
  // Outside of it, all of its places do the same.
  CHECK(ERROR_OF(run(bound_loop(kTx, t, 4, seq({store(a, {t, 0}, 1), bound_loop(kTy, u, 3, store(a, {t, u}, 2))})))) ==
        "A[0, 0] is written by thread (threadIdx.x 0, threadIdx.y 0) and written by thread (threadIdx.x 0, threadIdx.y "
        "1) at the same time; put a storage_sync between them or give each thread its own elements");
  // Blocks may sit inside threads.
  Tensor y(kInt32, {4, 3});
  interpret(function({a}, bound_loop(kTx, t, 4, bound_loop(kBx, u, 3, store(a, {t, u}, t * 10 + u)))), {&y});
  CHECK(integers(y) == std::vector<int64_t>{0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32});
}

TEST_CASE("how many threads there are is known before they start", "[unit]") {
  const Buffer a = make_buffer("A", {4, 4}, kInt32);
  const Var n("n"), t("t"), u("u"), k("k");
  Tensor x(kInt32, {4, 4});
  const Stmt triangle = bound_loop(kTx, t, n, bound_loop(kTy, u, t + 1, store(a, {t, u}, 1)));
  CHECK(ERROR_OF(interpret(function({n, a}, triangle), {4, &x})) ==
        "the extent 't + 1' of the loop u, bound to threadIdx.y, is not known before the kernel of the loop t starts; "
        "make it depend on nothing inside the kernel");
  // What a loop around the kernel makes of it may differ from time to time, nothing at all included.
  const Stmt growing = loop(k, 4, bound_loop(kTx, t, k, store(a, {k, t}, 1)));
  interpret(function({n, a}, growing), {4, &x});
  CHECK(integers(x) == std::vector<int64_t>{0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0});
  const Stmt many = bound_loop(kBx, t, INT32_MAX, bound_loop(kBy, u, 3, store(a, {0, 0}, 1)));
  CHECK(ERROR_OF(interpret(function({n, a}, many), {4, &x})) ==
        "the kernel of the loop t has more than 4294967295 threads or blocks");
}

TEST_CASE("a tag must be a GPU index, and a loop's type hold its values", "[unit]") {
  const Buffer a = make_buffer("A", {300}, kInt32);
  const Var t("t"), u("u", kInt8);
  Tensor x(kInt32, {300});
  for (const std::string tag : {"", "vthread", "threadIdx", "threadIdx.w", "threadIdx.xx", "blockIdx_x"}) {
    CHECK(ERROR_OF(interpret(function({a}, bound_loop(tag, t, 4, store(a, {t}, 1))), {&x})) ==
          "the loop t is bound to '" + tag + "', expected blockIdx.x, .y, .z or threadIdx.x, .y, .z");
  }
  CHECK(ERROR_OF(interpret(function({a}, bound_loop(kTx, u, 200, store(a, {u}, 1))), {&x})) ==
        "the loop u reaches 0 + 128, which its type int8 does not hold");
}

TEST_CASE("local memory is a thread's own, wherever it is allocated", "[unit]") {
  const Buffer a = make_buffer("A", {4, 2}, kInt32);
  const Buffer l = make_buffer("L", {2}, kInt32, "local");
  const Var b("b"), t("t"), k("k");
  const Stmt use = seq({store(l, {0}, b * 10 + t), barrier(), store(l, {1}, load(l, {0}) + 100), barrier(),
                        store(a, {b, t}, load(l, {0}) + load(l, {1}))});
  const std::vector<int64_t> expected = {100, 102, 120, 122, 140, 142, 160, 162};
  const auto check = [&](const Stmt& stmt, const std::vector<Buffer>& allocations) {
    Tensor x(kInt32, {4, 2});
    interpret(function({a}, stmt, allocations), {&x});
    CHECK(integers(x) == expected);
  };
  check(bound_loop(kBx, b, 4, bound_loop(kTx, t, 2, use)), {l});
  check(make_stmt(Allocate(l, bound_loop(kBx, b, 4, bound_loop(kTx, t, 2, use)))), {});
  check(bound_loop(kBx, b, 4, make_stmt(Allocate(l, bound_loop(kTx, t, 2, use)))), {});
  check(bound_loop(kBx, b, 4, bound_loop(kTx, t, 2, make_stmt(Allocate(l, use)))), {});

  // And has no value when the thread starts, whatever it had before.
  const Stmt early = store(a, {b, t}, load(l, {0}));
  Tensor x(kInt32, {4, 2});
  const Stmt before = seq({store(l, {0}, 1), bound_loop(kBx, b, 4, bound_loop(kTx, t, 2, early))});
  CHECK(ERROR_OF(interpret(function({a}, before, {l}), {&x})) ==
        "L[0] is read before it is written in thread (threadIdx.x 0) of block (blockIdx.x 0)");
  const Stmt later = when(b == 0, store(l, {0}, 1));
  CHECK(ERROR_OF(
            interpret(function({a}, bound_loop(kBx, b, 4, bound_loop(kTx, t, 2, seq({later, early}))), {l}), {&x})) ==
        "L[0] is read before it is written in thread (threadIdx.x 0) of block (blockIdx.x 1)");
  // Outside of kernels it is a buffer like others.
  interpret(function({a}, seq({store(l, {0}, 3), store(a, {0, 0}, load(l, {0}))}), {l}), {&x});
  CHECK(x.integer(0) == 3);
}

TEST_CASE("shared memory is a block's own, wherever it is allocated", "[unit]") {
  const Buffer a = make_buffer("A", {3, 4}, kInt32);
  const Buffer s = make_buffer("S", {4}, kInt32, "shared.dyn");
  const Var b("b"), t("t"), k("k");
  const Stmt use = seq({store(s, {t}, b * 10 + t), barrier(), store(a, {b, t}, load(s, {3 - t}))});
  const auto check = [&](const Stmt& stmt, const std::vector<Buffer>& allocations) {
    Tensor x(kInt32, {3, 4});
    interpret(function({a}, stmt, allocations), {&x});
    CHECK(integers(x) == std::vector<int64_t>{3, 2, 1, 0, 13, 12, 11, 10, 23, 22, 21, 20});
  };
  check(bound_loop(kBx, b, 3, bound_loop(kTx, t, 4, use)), {s});
  check(make_stmt(Allocate(s, bound_loop(kBx, b, 3, bound_loop(kTx, t, 4, use)))), {});
  check(bound_loop(kBx, b, 3, make_stmt(Allocate(s, bound_loop(kTx, t, 4, use)))), {});
  check(bound_loop(kBx, b, 3, bound_loop(kTx, t, 4, make_stmt(Allocate(s, use)))), {});

  // Nothing is left of what another block wrote.
  Tensor x(kInt32, {3, 4});
  const Stmt stale = seq({when(b == 0, store(s, {t}, 1)), store(a, {b, t}, load(s, {t}))});
  for (const Stmt& stmt : {bound_loop(kBx, b, 3, bound_loop(kTx, t, 4, make_stmt(Allocate(s, stale)))),
                           make_stmt(Allocate(s, bound_loop(kBx, b, 3, bound_loop(kTx, t, 4, stale))))}) {
    CHECK_THAT(
        ERROR_OF(interpret(function({a}, stmt), {&x})),
        ContainsSubstring("S[0] is read before it is written in thread (threadIdx.x 0) of block (blockIdx.x 1)"));
  }

  // In a loop it is the same memory every time, so what was read must be read before the next round writes.
  const auto rounds = [&](const Stmt& last) {
    const Stmt round = seq({store(s, {t}, k + t), barrier(), store(a, {k, t}, load(s, {3 - t})), last});
    interpret(function({a}, bound_loop(kTx, t, 4, loop(k, 3, make_stmt(Allocate(s, round))))), {&x});
  };
  rounds(barrier());
  CHECK(integers(x) == std::vector<int64_t>{3, 2, 1, 0, 4, 3, 2, 1, 5, 4, 3, 2});
  CHECK_THAT(ERROR_OF(rounds({})),
             ContainsSubstring("S[1] is written by thread (threadIdx.x 1) and read by thread (threadIdx.x 2)"));
  const Buffer growing = make_buffer("G", {k + 1}, kInt32, "shared");
  const Stmt grow = loop(k, 2, make_stmt(Allocate(growing, store(growing, {0}, 1))));
  CHECK(ERROR_OF(interpret(function({a}, bound_loop(kTx, t, 4, grow)), {&x})) ==
        "the shared buffer G is allocated twice in one block with different sizes; give it one");
}

TEST_CASE("other memory is common to threads when it comes from outside, their own from inside", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Buffer g = make_buffer("G", {4}, kInt32);
  const Var t("t");
  Tensor x(kInt32, {4});
  const Stmt exchange = seq({store(g, {t}, t), barrier(), store(a, {t}, load(g, {3 - t}))});
  interpret(function({a}, bound_loop(kTx, t, 4, exchange), {g}), {&x});
  CHECK(integers(x) == std::vector<int64_t>{3, 2, 1, 0});
  CHECK(ERROR_OF(interpret(function({a}, bound_loop(kTx, t, 4, make_stmt(Allocate(g, exchange)))), {&x})) ==
        "G[3] is read before it is written in thread (threadIdx.x 0)");
  // Which may be larger from time to time.
  const Var k("k");
  const Buffer growing = make_buffer("H", {k * 100 + 4}, kInt32);
  const Stmt last = seq({store(growing, {k * 100 + t}, t), store(a, {t}, load(growing, {k * 100 + t}))});
  interpret(function({a}, loop(k, 4, make_stmt(Allocate(growing, bound_loop(kTx, t, 4, last))))), {&x});
  CHECK(integers(x) == std::vector<int64_t>{0, 1, 2, 3});
}

TEST_CASE("values from outside reach every thread", "[unit]") {
  const Buffer a = make_buffer("A", {2, 3}, kInt32);
  const Var n("n"), i("i"), k("k"), t("t"), own("own");
  Tensor x(kInt32, {2, 3});
  const Stmt body = make_stmt(Let(own, t * 2, store(a, {i, t}, k + own)));
  const Stmt stmt = loop(i, 2, make_stmt(Let(k, i * 100 + n, bound_loop(kTx, t, 3, body))));
  interpret(function({n, a}, stmt), {7, &x});
  CHECK(integers(x) == std::vector<int64_t>{7, 9, 11, 107, 109, 111});
}

TEST_CASE("an access that breaks a rule is told with its thread", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Var b("b"), t("t"), v("v");
  Tensor x(kInt32, {4});
  const auto run = [&](const Stmt& body) {
    interpret(function({a}, bound_loop(kBx, b, 2, bound_loop(kTx, t, 3, body))), {&x});
  };
  CHECK(ERROR_OF(run(store(a, {b * 3 + t}, 1))) ==
        "index 4 in dimension 0 of A is outside its extent 4, in 'A[b * 3 + t]' in thread (threadIdx.x 1) of block "
        "(blockIdx.x 1)");
  CHECK(ERROR_OF(run(when(b == 1, store(a, {t}, floor_div(t, t - 1))))) ==
        "division by zero in 't // (t - 1)' in thread (threadIdx.x 1) of block (blockIdx.x 1)");
  Block block;
  block.name = "C";
  block.axes = {{v, {0, 2}}};
  block.bindings = {t};
  block.body = when(b == 0, store(a, {v}, 1));
  CHECK(ERROR_OF(run(make_stmt(block))) ==
        "axis v of block C is bound to 2 in thread (threadIdx.x 2) of block (blockIdx.x 0), outside its domain 0:2; a "
        "predicate must exclude that");
}

TEST_CASE("without threads, bound loops are loops", "[unit]") {
  const Buffer a = make_buffer("A", {2, 8}, kInt32);
  const Buffer out = make_buffer("out", {2, 8}, kInt32);
  const Buffer s = make_buffer("S", {8}, kInt32, "shared");
  const Buffer l = make_buffer("L", {2, 8}, kInt32, "local");
  const Var b("b"), t("t"), u("u");
  Tensor x(kInt32, {2, 8}), y(kInt32, {2, 8});
  std::mt19937_64 random(3);
  fill(x, random);
  // Every thread fetches all, and no barrier says when all is there.
  const Stmt fetch = bound_loop(kTx, u, 8, store(s, {u}, load(a, {b, u})));
  const Stmt body = seq({fetch, store(l, {b, t}, load(s, {7 - t})), store(out, {b, t}, load(l, {b, t}))});
  const PrimFunc f = function({a, out}, bound_loop(kBx, b, 2, bound_loop(kTx, t, 8, body)), {s, l});
  CHECK_THROWS_AS(interpret(f, {&x, &y}), Error);
  InterpreterOptions plain;
  plain.threads = false;
  interpret(f, {&x, &y}, plain);
  for (int64_t e = 0; e < 16; ++e) CHECK(y.integer(e) == x.integer(e / 8 * 8 + 7 - e % 8));
}

TEST_CASE("kernels may run in parallel loops", "[unit]") {
  const Buffer a = make_buffer("A", {3, 4}, kInt32);
  const Buffer g = make_buffer("G", {4}, kInt32);
  const Var i("i"), b("b"), t("t");
  Tensor x(kInt32, {3, 4});
  InterpreterOptions check;
  check.check_parallel = true;
  const Stmt exchange = seq({store(g, {t}, i + t), barrier(), store(a, {i, t}, load(g, {3 - t}))});
  const auto run = [&](const Stmt& body, const std::vector<Buffer>& allocations) {
    interpret(function({a}, loop(ForKind::kParallel, i, 3, body), allocations), {&x}, check);
  };
  run(make_stmt(Allocate(g, bound_loop(kTx, t, 4, exchange))), {});
  CHECK(integers(x) == std::vector<int64_t>{3, 2, 1, 0, 4, 3, 2, 1, 5, 4, 3, 2});
  CHECK_THAT(ERROR_OF(run(bound_loop(kTx, t, 4, exchange), {g})),
             ContainsSubstring("iteration 1 of the parallel loop i"));
  // What follows a kernel is still in the iteration.
  const Stmt apart = bound_loop(kBx, b, 2, bound_loop(kTx, t, 2, store(a, {i, b * 2 + t}, 1)));
  CHECK_THAT(ERROR_OF(run(seq({apart, store(g, {0}, i)}), {g})),
             ContainsSubstring("G[0] is written by iteration 0 of the parallel loop i and written by iteration 1"));
  // Threads in it are checked as ever.
  const Stmt race = bound_loop(kTx, t, 4, seq({store(g, {t}, 1), store(a, {i, t}, load(g, {floor_mod(t + 3, 4)}))}));
  CHECK_THAT(ERROR_OF(run(make_stmt(Allocate(g, seq({store(g, {3}, 1), race}))), {})),
             ContainsSubstring("G[0] is written by thread (threadIdx.x 0) and read by thread (threadIdx.x 1)"));
}

}  // namespace vantage::test::compiler_ir_interpreter_kernel_test
