#include "compiler/ir/printer.h"

#include <cmath>
#include <limits>

#include "compiler/ir/intrinsics.h"
#include "tests/catch.h"
#include "tests/compiler/ir/evaluate_text.h"
#include "tests/compiler/ir/parts.h"
#include "tests/compiler/ir/random_index.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_ir_printer_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

Expr random_expression(std::mt19937_64& random, const std::vector<Var>& vars, int depth);

Expr random_bool(std::mt19937_64& random, const std::vector<Var>& vars, int depth) {
  const auto logic = [&] { return random_bool(random, vars, depth - 1); };
  const auto number = [&] { return random_expression(random, vars, depth - 1); };
  if (depth == 0) return random_expression(random, vars, 0) < random_expression(random, vars, 0);
  switch (random() % 7) {
    case 0: return logic() && logic();
    case 1: return logic() || logic();
    case 2: return !logic();
    case 3: return logic() == logic();
    case 4: return logic() != logic();
    default: {
      static constexpr BinaryOp kOps[] = {BinaryOp::kLt, BinaryOp::kLe, BinaryOp::kGt,
                                          BinaryOp::kGe, BinaryOp::kEq, BinaryOp::kNe};
      return make_binary(kOps[random() % 6], number(), number());
    }
  }
}

// Any operation on anything: what is printed matters, not what it means.
Expr random_expression(std::mt19937_64& random, const std::vector<Var>& vars, int depth) {
  using enum BinaryOp;
  static constexpr BinaryOp kOps[] = {kAdd, kSub, kMul, kFloorDiv, kFloorMod, kTruncDiv, kTruncMod,
                                      kMin, kMax, kShl, kShr,      kBitAnd,   kBitOr,    kBitXor};
  if (depth == 0) {
    if (random() % 2 == 0) return vars[random() % vars.size()];
    return make_int(kInt32, static_cast<int64_t>(random() % 12) - 5);
  }
  if (random() % 12 == 0) {
    const Expr condition = random_bool(random, vars, depth - 1);
    return if_then_else(condition, random_expression(random, vars, depth - 1),
                        random_expression(random, vars, depth - 1));
  }
  const Expr a = random_expression(random, vars, depth - 1 - static_cast<int>(random() % 2) * (depth > 1 ? 1 : 0));
  const Expr b = random_expression(random, vars, depth - 1);
  return make_binary(kOps[random() % std::size(kOps)], a, b);
}

std::string text(const Expr& e) {
  return to_text(e);
}

}  // namespace

TEST_CASE("printed expressions read back to the same value", "[property]") {
  std::mt19937_64 random = test::generator(7);
  const Var i("i"), j("j"), n("n");
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    const int depth = 1 + static_cast<int>(random() % 4);
    const Expr e =
        random() % 3 == 0 ? random_bool(random, {i, j, n}, depth) : random_expression(random, {i, j, n}, depth);
    const test::Assignment values = {{i.get(), static_cast<int64_t>(random() % 9) - 4},
                                     {j.get(), static_cast<int64_t>(random() % 9) - 4},
                                     {n.get(), static_cast<int64_t>(random() % 9) + 1}};
    const auto expected = test::evaluate(e, values);
    if (!expected) continue;
    INFO(text(e) << " for " << test::to_text(values));
    int64_t got = 0;
    try {
      got = test::evaluate_text(text(e),
                                {{"i", values.at(i.get())}, {"j", values.at(j.get())}, {"n", values.at(n.get())}});
    } catch (const Error& error) {
      // What is not evaluated for a Select, and, or, is evaluated by the reader.
      if (std::string(error.what()) == "a division by zero") continue;
      FAIL(error.what());
    }
    ++read;
    REQUIRE(got == *expected);
  }
  CHECK(read > 10000);
}

TEST_CASE("parentheses stand only where they are needed", "[unit]") {
  const Var a("a"), b("b"), c("c"), p("p", kBool), q("q", kBool);
  CHECK(text(a + b + c) == "a + b + c");
  CHECK(text(a + (b + c)) == "a + (b + c)");
  CHECK(text(a - (b - c)) == "a - (b - c)");
  CHECK(text((a + b) * c) == "(a + b) * c");
  CHECK(text(a * b + c) == "a * b + c");
  CHECK(text(floor_mod(floor_div(a, b), c)) == "a // b % c");
  CHECK(text(a * floor_div(b, c)) == "a * (b // c)");
  CHECK(text(a + b < c * 2) == "a + b < c * 2");
  CHECK(text((p && q) || p) == "p and q or p");
  CHECK(text(p && (q || p)) == "p and (q or p)");
  CHECK(text(!p && q) == "not p and q");
  CHECK(text(!(p && q)) == "not (p and q)");
  CHECK(text(!(a < b)) == "not a < b");
  CHECK(text((!p) == q) == "(not p) == q");
  CHECK(text((a < b) == (b < c)) == "(a < b) == (b < c)");
  CHECK(text(a << (b + 1)) == "a << b + 1");
  CHECK(text((a << b) + 1) == "(a << b) + 1");
  CHECK(text(a | (b ^ (c & a))) == "a | b ^ c & a");
  CHECK(text(min(a + b, max(b, c))) == "T.min(a + b, T.max(b, c))");
  CHECK(text(trunc_div(a, b) * trunc_mod(a, b)) == "T.truncdiv(a, b) * T.truncmod(a, b)");
  CHECK(text(a - -3) == "a - (-3)");
  CHECK(text(Expr(-3) + a) == "-3 + a");
  CHECK(text(Expr(-3) * a) == "(-3) * a");
  CHECK(text(a < -3) == "a < -3");
}

TEST_CASE("literals say their type where it is not the usual", "[unit]") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(text(7) == "7");
  CHECK(text(make_int(kInt8, -7)) == "T.int8(-7)");
  CHECK(text(make_int(kInt64, 7)) == "T.int64(7)");
  CHECK(text(true) == "True");
  CHECK(text(false) == "False");
  CHECK(text(make_float(kFloat16, 0.1)) == "T.float16(0.0999755859375)");
  CHECK(text(make_float(kFloat32, 1)) == "T.float32(1)");
  CHECK(text(make_float(kFloat32, 1e-30)) == "T.float32(1.0000000031710769e-30)");
  CHECK(text(make_float(kFloat64, 0.1)) == "T.float64(0.1)");
  CHECK(text(make_float(kFloat32, -0.0)) == "T.float32(-0)");
  CHECK(text(make_float(kFloat32, infinity)) == "T.float32(\"inf\")");
  CHECK(text(make_float(kFloat32, -infinity)) == "T.float32(\"-inf\")");
  CHECK(text(make_float(kBFloat16, 0.1)) == "T.bfloat16(0.10009765625)");
  CHECK(text(make_float(kFloat16, std::nan(""))) == "T.float16(\"nan\")");
  CHECK(text(make_string("dma_copy")) == "\"dma_copy\"");
  CHECK(text(make_string("a \"b\" \\ c\n")) == R"("a \"b\" \\ c\n")");
  CHECK(text(Expr()) == "(none)");
  CHECK(text(cast(kFloat32, Var("i"))) == "T.Cast(\"float32\", i)");
  CHECK(text(call("pow", {make_float(kFloat32, 2), Var("x", kFloat32)})) == "T.pow(T.float32(2), x)");
  CHECK(text(load(make_buffer("A.local", {4, 4}, kInt8), {Var("i"), 0})) == "A_local[i, 0]");
}

TEST_CASE("ranges and regions", "[unit]") {
  const Var i("i");
  const Buffer a = make_buffer("A", {64, 64}, kInt8);
  CHECK(to_text(Range{i * 4, 4}) == "i * 4:i * 4 + 4");
  CHECK(to_text(Range{i, 1}) == "i");
  CHECK(to_text(BufferRegion{a, {{0, 64}, {i, 1}}}) == "A[0:64, i]");
}

TEST_CASE("every operation has a symbol", "[unit]") {
  CHECK(symbol(BinaryOp::kAdd) == "+");
  CHECK(symbol(BinaryOp::kFloorDiv) == "//");
  CHECK(symbol(BinaryOp::kMin) == "min");
  CHECK(symbol(BinaryOp::kGe) == ">=");
  CHECK(symbol(BinaryOp::kAnd) == "and");
  CHECK(symbol(BinaryOp::kBitXor) == "^");
}

TEST_CASE("a matrix multiply", "[golden]") {
  const Var i("i"), j("j"), k("k"), vi("vi"), vj("vj"), vk("vk");
  const Buffer a = make_buffer("A", {128, 64}, kInt8), b = make_buffer("B", {96, 64}, kInt8),
               c = make_buffer("C", {128, 96}, kInt32);
  Block block;
  block.name = "C";
  block.axes = {
      {vi, {0, 128}, AxisKind::kSpatial}, {vj, {0, 96}, AxisKind::kSpatial}, {vk, {0, 64}, AxisKind::kReduce}};
  block.bindings = {i, j, k};
  block.init = store(c, {vi, vj}, 0);
  block.body =
      store(c, {vi, vj}, load(c, {vi, vj}) + cast(kInt32, load(a, {vi, vk})) * cast(kInt32, load(b, {vj, vk})));
  PrimFunc function;
  function.name = "matmul";
  function.params = {a, b, c};
  function.body = loop(i, 128, loop(j, 96, loop(k, 64, make_stmt(block))));
  CHECK(to_text(function) == R"(@T.prim_func
def matmul(A: T.Buffer((128, 64), "int8"), B: T.Buffer((96, 64), "int8"), C: T.Buffer((128, 96), "int32")):
    for i, j, k in T.grid(128, 96, 64):
        with T.block("C"):
            vi = T.axis.spatial(128, i)
            vj = T.axis.spatial(96, j)
            vk = T.axis.reduce(64, k)
            T.reads(A[vi, vk], B[vj, vk])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + T.Cast("int32", A[vi, vk]) * T.Cast("int32", B[vj, vk])
)");
}

TEST_CASE("loops of every kind", "[golden]") {
  const Buffer a = make_buffer("A", {4096}, kFloat32);
  const auto nest = [&](ForKind kind, const char* name, Expr min, Expr extent, Annotations notes, const Stmt& body,
                        const std::string& thread = "") {
    For loop;
    loop.var = Var(name);
    loop.min = std::move(min);
    loop.extent = std::move(extent);
    loop.loop = kind;
    loop.thread = thread;
    loop.annotations = std::move(notes);
    loop.body = body;
    return make_stmt(loop);
  };
  const Stmt last = store(a, {0}, 1.5);
  Stmt s = nest(ForKind::kVectorized, "v", 0, 4, {}, last);
  s = nest(ForKind::kUnrolled, "u", 0, 2, {{"explicit", 1}}, s);
  s = nest(ForKind::kSerial, "s", 0, 4, {{"pragma", make_string("fast")}, {"step", 2}}, s);
  s = nest(ForKind::kParallel, "p", 1, 7, {}, s);
  s = nest(ForKind::kVirtualThread, "t", 0, 2, {}, s);
  s = nest(ForKind::kThread, "tx", 0, 32, {}, s, "threadIdx.x");
  s = nest(ForKind::kThread, "bx", 0, 128, {}, s, "blockIdx.x");
  s = nest(ForKind::kSerial, "from", 3, 5, {}, s);
  CHECK(to_text(s) == R"(for from in range(3, 8):
    for bx in T.thread_binding(128, thread="blockIdx.x"):
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            for t in T.vthread(2):
                for p in T.parallel(1, 8):
                    for s in T.serial(4, annotations={"pragma": "fast", "step": 2}):
                        for u in T.unroll(2, annotations={"explicit": 1}):
                            for v in T.vectorized(4):
                                A[0] = T.float32(1.5)
)");
}

TEST_CASE("loops share a grid where their extents do not depend on each other", "[golden]") {
  const Var i("i"), j("j"), k("k");
  const Buffer a = make_buffer("A", {64}, kInt32);
  CHECK(to_text(loop(i, 4, loop(j, i + 1, loop(k, 4, store(a, {k}, j))))) == R"(for i in range(4):
    for j, k in T.grid(i + 1, 4):
        A[k] = j
)");
}

TEST_CASE("names are told apart", "[golden]") {
  const Var i("i"), other("i"), clash("i_1");
  const Buffer a = make_buffer("A", {64}, kInt32), b = make_buffer("A", {64}, kInt32),
               local = make_buffer("A.local", {64}, kInt32), taken = make_buffer("A_local", {64}, kInt32);
  CHECK(
      to_text(loop(
          i, 4,
          loop(other, 4,
               loop(clash, 4, seq({store(a, {i + other}, load(b, {clash})), store(local, {i}, load(taken, {i}))}))))) ==
      R"(for i, i_1, i_1_1 in T.grid(4, 4, 4):
    A[i + i_1] = A_1[i_1_1]
    A_local[i] = A_local_1[i]
)");
}

TEST_CASE("scopes end where the text says so", "[golden]") {
  const Var t("t", kInt64), i("i");
  const Buffer a = make_buffer("A", {64}, kInt64), b = make_buffer("B", {4, 4}, kInt64, "local", {8, 1}, 128);
  const Stmt let = make_stmt(Let(t, cast(kInt64, i) + 1, store(a, {i}, t)));
  const Stmt allocate = make_stmt(Allocate(b, store(b, {0, i}, 0), {{"pool", 1}}));
  CHECK(to_text(seq({let, store(a, {i}, 1)})) == R"(with T.LetStmt(T.Cast("int64", i) + T.int64(1)) as t:
    A[i] = t
A[i] = T.int64(1)
)");
  CHECK(to_text(seq({store(a, {i}, 1), let})) == R"(A[i] = T.int64(1)
t: T.int64 = T.Cast("int64", i) + T.int64(1)
A[i] = t
)");
  CHECK(to_text(seq({allocate, store(a, {i}, 1)})) ==
        R"(with T.allocate((4, 4), "int64", scope="local", strides=(8, 1), align=128, annotations={"pool": 1}) as B:
    B[0, i] = T.int64(0)
A[i] = T.int64(1)
)");
}

TEST_CASE("everything at once", "[golden]") {
  CHECK(to_text(test::Parts().build()) == R"(@T.prim_func
def main(n: T.int32, A: T.Buffer((16, 8), "int32")):
    T.func_attr({"target": "vta"})
    T_1 = T.alloc_buffer((16, 8), "int32", scope="local")
    for i in T.thread_binding(16, thread="threadIdx.x", annotations={"unroll": 4}):
        with T.block("C"):
            v = T.axis.spatial(16, i)
            T.where(v < 12)
            T.reads(F[v], A[0, 0:4])
            T.writes(T_1[v, 0:5])
            T.block_attr({"pragma": "dma_copy"})
            with T.init():
                T_1[v, 0] = 0
            with T.LetStmt(v + 7) as t:
                T_1[v, 1] = T.Cast("int32", T.Cast("int64", F[v])) + 1 + free
                T_1[v, 2] = T.if_then_else(v < t, v, t)
            if T.Cast("int32", T.exp(T.float32(0.5))) < v:
                T.vta.alu(A[0, 0:4], "shared")
            else:
                T_1[v, 3] = 3
            T_1[v, 4] = 0
)");
}

}  // namespace vantage::test::compiler_ir_printer_test
