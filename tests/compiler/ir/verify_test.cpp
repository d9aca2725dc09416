#include "compiler/ir/verify.h"

#include <limits>

#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/ir/parts.h"
#include "tests/compiler/ir/verify_support.h"

namespace vantage::test::compiler_ir_verify_test {

using namespace vantage;
using namespace vantage::test::verifying;

TEST_CASE_METHOD(World, "valid functions", "[unit]") {
  CHECK(wrong({a}, loop(i, 128, store(a, {i}, 1))) == "");
  CHECK(wrong({n, an}, loop(i, n, store(an, {i}, 1))) == "");
  const Stmt update = store(b, {vi, vj}, load(b, {vi, vj}) + load(a, {vk}));
  CHECK(wrong({a, b}, loop(i, 128,
                           loop(j, 128,
                                loop(k, 128,
                                     block_of("C", {spatial(vi, 128), spatial(vj, 128), reduce(vk, 128)}, {i, j, k},
                                              update, store(b, {vi, vj}, 0)))))) == "");
  test::Parts parts;
  PrimFunc everything = parts.build();
  everything.params.emplace_back(parts.free_var);
  everything.params.emplace_back(parts.free_buffer);
  CHECK(text(verify(everything)) ==
        "the block C has an initialisation, but no reduce axis to begin; store before it instead\n"
        "C reads F[v], which reaches 8; dimension 0 of F has 8 elements\n");  // 12 instances meet the predicate
  require_valid([&] {
    PrimFunc function;
    function.params = {a};
    function.body = store(a, {0}, 1);
    return function;
  }());
}

TEST_CASE_METHOD(World, "the first message is thrown", "[unit]") {
  PrimFunc function;
  function.params = {a};
  function.body = seq({store(a, {n}, 1), store(a, {m}, 1)});
  CHECK(ERROR_OF(require_valid(function)) ==
        "main uses the variable n, which nothing defines; make it a parameter of main");
  CHECK(verify(function).size() == 2);
  function.body = {};
  CHECK(ERROR_OF(require_valid(function)) == "the function main has no body");
}

TEST_CASE_METHOD(World, "variables are used inside of what defines them", "[unit]") {
  const Var t("t");
  CHECK(wrong({a}, seq({loop(i, 4, store(a, {i}, 1)), store(a, {i}, 1)})) == "main uses i outside of its loop\n");
  CHECK(wrong({a}, loop(i, i, store(a, {0}, 1))) == "main uses i outside of its loop\n");
  CHECK(wrong({a}, seq({store(a, {0}, t), make_stmt(Let(t, 4, store(a, {t}, 1)))})) ==
        "main uses t outside of its let\n");
  CHECK(wrong({a}, make_stmt(Let(t, t + 1, store(a, {t}, 1)))) == "main uses t outside of its let\n");
  CHECK(wrong({a}, seq({block_of("C", {spatial(vi, 4)}, {1}, store(a, {vi}, 1)), store(a, {vi}, 1)})) ==
        "main uses vi outside of its block C\n");
  CHECK(wrong({a}, loop(i, 4, block_of("C", {spatial(vi, 4)}, {i}, store(a, {j}, vi)))) ==
        "C uses the variable j, which nothing defines; make it a parameter of main\n");
  CHECK(wrong({a}, loop(i, 4, block_of("C", {spatial(vi, 4)}, {vi}, store(a, {vi}, 1)))) ==
        "C uses vi outside of its block C\n");
  CHECK(wrong({a}, loop(i, 4,
                        block_of("C", {spatial(vi, 4), {vj, {0, vi + 1}, AxisKind::kSpatial}}, {i, 0},
                                 store(a, {vi}, 1), {}, vi < 3))) == "");
}

TEST_CASE_METHOD(World, "sizes are variables of the function where they stand alone", "[unit]") {
  const Stmt nothing = store(a, {0}, 1);
  CHECK(wrong({a, an}, nothing) == "");
  CHECK(wrong({a, make_buffer("S", {4, 4}, kInt8, "global", {n, 1})}, nothing) == "");
  CHECK(wrong({a, make_buffer("S", {n * 2}, kInt8)}, nothing) ==
        "the buffer S uses the variable n, which nothing defines; make it a parameter of main\n");
  CHECK(wrong({a, make_buffer("S", {n * 2}, kInt8), n}, nothing) == "");
  CHECK(wrong({a, make_buffer("S", {n * 2}, kInt8), an}, nothing) == "");
  CHECK(wrong({a}, nothing, {make_buffer("L", {n}, kInt8)}) ==
        "the buffer L uses the variable n, which nothing defines; make it a parameter of main\n");
  const Buffer local = make_buffer("L", {i}, kInt32, "local");
  CHECK(wrong({a}, loop_from(i, 1, 4, make_stmt(Allocate(local, store(local, {0}, 1))))) == "");
  CHECK(wrong({a}, make_stmt(Allocate(local, loop_from(i, 1, 4, store(local, {0}, 1))))) ==
        "the buffer L uses i outside of its loop\n");
}

TEST_CASE_METHOD(World, "buffers are parameters or allocated", "[unit]") {
  const Buffer t = make_buffer("T", {4}, kInt32, "local");
  const Expr view = raw<View>(t, std::vector<Range>{{0, 4}}, Touch::kRead);
  const Expr out = raw<View>(t, std::vector<Range>{{0, 4}}, Touch::kReadWrite);
  CHECK(wrong({a}, store(t, {0}, 1)) == "main writes T, which is neither a parameter nor allocated\n");
  CHECK(wrong({a}, store(a, {0}, load(t, {0}))) == "main reads T, which is neither a parameter nor allocated\n");
  CHECK(wrong({a}, evaluate(raw<Call>(kVoid, "f", std::vector<Expr>{view}))) ==
        "main reads T, which is neither a parameter nor allocated\n");
  CHECK(wrong({a}, evaluate(raw<Call>(kVoid, "f", std::vector<Expr>{out}))) ==
        "main writes T, which is neither a parameter nor allocated\n");
  CHECK(
      wrong({a}, seq({make_stmt(Allocate(t, store(t, {0}, 1))), block_of("C", {}, {}, store(a, {0}, load(t, {0})))})) ==
      "C reads T outside of its allocation\n");
  CHECK(wrong({a}, store(t, {0}, 1), {t}) == "");
}

TEST_CASE_METHOD(World, "what is defined is defined once", "[unit]") {
  const Var t("t");
  const Buffer l = make_buffer("L", {4}, kInt32, "local");
  const Stmt one = store(a, {i}, 1);
  CHECK(wrong({a}, seq({loop(i, 4, one), loop(i, 4, one)})) ==
        "the variable i is defined twice, in its loop and in its loop; give each one of its own\n");
  CHECK(wrong({a, i}, loop(i, 4, one)) ==
        "the variable i is defined twice, in the parameters and in its loop; give each one of its own\n");
  CHECK(wrong({a, an}, loop(n, 4, store(a, {n}, 1))) ==
        "the variable n is defined twice, in the parameters and in its loop; give each one of its own\n");
  CHECK(wrong({a, n, n}, store(a, {0}, n)) ==
        "the variable n is defined twice, in the parameters and in the parameters; give each one of its own\n");
  CHECK(wrong({a, a}, store(a, {0}, 1)) ==
        "the buffer A is defined twice, in the parameters and in the parameters; give each one of its own\n");
  CHECK(wrong({a}, store(a, {0}, 1), {a}) ==
        "the buffer A is defined twice, in the parameters and in the allocations; give each one of its own\n");
  CHECK(wrong({a}, make_stmt(Allocate(l, make_stmt(Allocate(l, store(l, {0}, 1)))))) ==
        "the buffer L is defined twice, in its allocation and in its allocation; give each one of its own\n");
  CHECK(wrong({a}, loop(t, 4, make_stmt(Let(t, 1, store(a, {t}, 1))))) ==
        "the variable t is defined twice, in its loop and in its let; give each one of its own\n");
  CHECK(wrong({a}, loop(i, 4, block_of("C", {spatial(i, 4)}, {2}, store(a, {i}, 1)))) ==
        "the variable i is defined twice, in its loop and in its block C; give each one of its own\n");
  const Stmt block = block_of("C", {}, {}, store(a, {0}, 1));
  CHECK(wrong({a}, seq({block, block})) == "two blocks are named C; give each a name of its own\n");
}

TEST_CASE_METHOD(World, "operands have one type that fits", "[unit]") {
  const Var s("s", kInt8), f("f", kFloat32), l("l", kInt64), p("p", kBool);
  const auto with = [&](const Expr& e) {
    const Expr value = e.dtype().is_bool() || e.dtype().is_void() ? e : cast(kInt32, e);
    return e.dtype().is_bool() ? wrong({a, s, f, l, p, i}, make_stmt(If(value, store(a, {0}, 1), {})))
                               : wrong({a, s, f, l, p, i}, store(a, {0}, value));
  };
  CHECK(with(raw<Binary>(kInt8, BinaryOp::kAdd, s, i)) ==
        "main: 's' + 'i' mixes the types int8 and int32; cast one of them\n");
  CHECK(with(raw<Binary>(kInt8, BinaryOp::kAdd, s, Expr(3))) ==
        "main: 's' + '3' mixes the types int8 and int32; cast one of them\n");
  CHECK(with(raw<Binary>(kFloat32, BinaryOp::kFloorDiv, f, f)) == "main: 'f' // 'f' needs integers, got float32\n");
  CHECK(with(raw<Binary>(kBool, BinaryOp::kAnd, i, i)) == "main: 'i' and 'i' needs bools, got int32\n");
  CHECK(with(raw<Binary>(kInt32, BinaryOp::kDiv, i, i)) ==
        "main: 'i' / 'i' divides int32; say which way integers round: floor_div or trunc_div\n");
  CHECK(with(raw<Binary>(kInt8, BinaryOp::kAdd, i, i)) == "main: 'i + i' is of type int8, expected int32\n");
  CHECK(with(raw<Binary>(kInt32, BinaryOp::kLt, i, i)) == "main: 'i < i' is of type int32, expected bool\n");
  CHECK(with(raw<Select>(i, i, i)) == "main: the condition 'i' is of type int32, expected bool\n");
  CHECK(with(raw<Select>(p, i, Expr(make_int(kInt8, 1)))) ==
        "main: the branches 'i' and 'T.int8(1)' have types int32 and int8; cast one of them\n");
  CHECK(with(raw<Not>(i)) == "main: not 'i' needs a bool, got int32\n");
  CHECK(with(raw<Cast>(kInt32, make_string("x"))) == "main: '\"x\"' cannot be cast to int32\n");
  CHECK(with(raw<Call>(kFloat32, "exp", std::vector<Expr>{i})) ==
        "main: exp does not take 'i' of type int32, expected a float; cast it\n");
  CHECK(with(raw<Call>(kFloat32, "pow", std::vector<Expr>{f})) == "main: pow takes 2 arguments, got 1\n");
  CHECK(with(raw<Binary>(kInt8, BinaryOp::kAdd, s, raw<IntImm>(kInt8, 300))) ==
        "main: 300 is no int8, whose values are -128 to 127\n");
  CHECK(with(raw<Binary>(kFloat32, BinaryOp::kAdd, f, raw<IntImm>(kFloat32, 3))) ==
        "main: the integer 3 cannot be a literal of type float32\n");
  CHECK(with(raw<FloatImm>(kFloat16, 0.1)) == "main: 0.1 is no float16, whose nearest value is 0.0999755859375\n");
  CHECK(with(make_float(kFloat16, std::numeric_limits<double>::quiet_NaN())) == "");
  CHECK(with(floor_div(i, 0)) == "main: 'i // 0' divides by zero\n");
  CHECK(with(floor_mod(i, 0)) == "main: 'i % 0' divides by zero\n");
  CHECK(with(trunc_div(i, 0)) == "main: 'T.truncdiv(i, 0)' divides by zero\n");
  CHECK(with(trunc_mod(i, 0)) == "main: 'T.truncmod(i, 0)' divides by zero\n");
  CHECK(with(make_float(kFloat32, 1) / 0) == "");
}

TEST_CASE_METHOD(World, "statements have the types that they need", "[unit]") {
  const Var s("s", kInt8), f("f", kFloat32), l("l", kInt64), t("t");
  const Stmt one = store(a, {0}, 1);
  const auto with = [&](const Stmt& stmt) { return wrong({a, b, s, f, n}, stmt); };
  CHECK(with(raw_stmt<Store>(a, std::vector<Expr>{0, 0}, Expr(1))) ==
        "main: A has 1 dimensions, but is written with 2 indices\n");
  CHECK(with(raw_stmt<Store>(a, std::vector<Expr>{f}, Expr(1))) ==
        "main: A is indexed by 'f' of type float32, expected an integer\n");
  CHECK(with(raw_stmt<Store>(a, std::vector<Expr>{0}, s)) ==
        "main: A holds int32, but is to be given 's' of type int8; cast it\n");
  CHECK(with(raw_stmt<Store>(a, std::vector<Expr>{0}, make_int(kInt8, 1))) ==
        "main: A holds int32, but is to be given 'T.int8(1)' of type int8; cast it\n");
  CHECK(with(store(a, {0}, raw<Load>(b, std::vector<Expr>{0}))) ==
        "main: B has 2 dimensions, but is read with 1 indices\n");
  CHECK(with(evaluate(
            raw<Call>(kVoid, "f", std::vector<Expr>{raw<View>(b, std::vector<Range>{{0, 1}}, Touch::kRead)}))) ==
        "main: B has 2 dimensions, but is read with 1 indices\n");
  CHECK(with(raw_stmt<If>(n, one, Stmt())) == "main has the condition 'n' of type int32, expected bool\n");
  CHECK(with(raw_stmt<Let>(t, s, one)) == "main lets t of type int32 be 's' of type int8; cast it\n");
  CHECK(with(loop(l, n, one)) ==
        "the loop l of type int64 has the extent 'n' of type int32; make both one integer type\n");
  CHECK(with(loop_from(i, make_int(kInt64, 0), 4, one)) ==
        "the loop i of type int32 has the beginning 'T.int64(0)' of type int64; make both one integer type\n");
  CHECK(with(loop_from(f, make_zero(kFloat32), make_float(kFloat32, 3), one))
            .starts_with("the variable f is defined twice"));
  CHECK(with(loop(l, 4, one)) == "");  // a literal is adapted
  CHECK(
      with(block_of("C", {spatial(vi, 4)}, {make_int(kInt64, 0)}, one)) ==
      "the axis vi of C is of type int32 and has the binding 'T.int64(0)' of type int64; make both one integer type\n");
  CHECK(with(block_of("C", {{vi, {0, make_int(kInt64, 4)}, AxisKind::kSpatial}}, {0}, one)) ==
        "the axis vi of C is of type int32 and has the domain extent 'T.int64(4)' of type int64; make both one integer "
        "type\n");
  CHECK(with(block_of("C", {{vi, {make_int(kInt64, 0), 4}, AxisKind::kSpatial}}, {0}, one)) ==
        "the axis vi of C is of type int32 and has the domain beginning 'T.int64(0)' of type int64; make both one "
        "integer type\n");
  CHECK(with(block_of("C", {}, {}, one, {}, n)) == "C has the predicate 'n' of type int32, expected bool\n");
  Block uneven;
  uneven.name = "C";
  uneven.axes = {spatial(vi, 1)};
  uneven.body = one;
  CHECK(with(raw_stmt<Block>(uneven)) == "the block C has 1 axes and 0 bindings, expected one for each\n");
}

TEST_CASE_METHOD(World, "buffers that were made without checks are checked", "[unit]") {
  BufferNode node;
  node.name = "L";
  node.dtype = kInt32;
  node.shape = {0};
  const Buffer empty = std::make_shared<const BufferNode>(node);
  CHECK(wrong({a}, store(a, {0}, 1), {empty}) == "the buffer L has the size 0, expected positive integers\n");
  CHECK(wrong({a, empty}, store(a, {0}, 1)) == "the buffer L has the size 0, expected positive integers\n");
  CHECK(wrong({a}, make_stmt(Allocate(empty, store(a, {0}, 1)))) ==
        "the buffer L has the size 0, expected positive integers\n");
}

TEST_CASE_METHOD(World, "GPU loops have known tags, others none", "[unit]") {
  const auto with = [&](ForKind kind, const std::string& thread) {
    return wrong({a}, loop_from(i, 0, 4, store(a, {i}, 1), kind, thread));
  };
  for (const char* tag : {"blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z"}) {
    CHECK(with(ForKind::kThread, tag) == "");
  }
  CHECK(with(ForKind::kThread, "threadIdx.w") ==
        "the loop i is bound to 'threadIdx.w', expected blockIdx.x, .y, .z or threadIdx.x, .y, .z\n");
  CHECK(with(ForKind::kThread, "") ==
        "the loop i is bound to '', expected blockIdx.x, .y, .z or threadIdx.x, .y, .z\n");
  CHECK(with(ForKind::kVirtualThread, "") == "");
  CHECK(with(ForKind::kVirtualThread, "vthread") == "");
  CHECK(with(ForKind::kParallel, "threadIdx.x") ==
        "the loop i has the tag 'threadIdx.x' of a thread, but is not bound to it\n");
  const auto nested = [&](const std::string& outer, const std::string& inner) {
    const Stmt body = loop_from(j, 0, 4, store(a, {i}, 1), ForKind::kThread, inner);
    return wrong({a}, loop_from(i, 0, 4, body, ForKind::kThread, outer));
  };
  CHECK(nested("blockIdx.x", "threadIdx.x") == "");
  CHECK(nested("threadIdx.x", "threadIdx.x") ==
        "the loop j stands inside of the loop i, and both are bound to threadIdx.x; fuse the two, or bind one to "
        "another axis; only what fills shared memory, alike in all iterations of the outer loop, is shared out among "
        "its threads\n");
}

TEST_CASE_METHOD(World, "axes are what the writes make of them", "[unit]") {
  const auto two = [&](const Axis& x, const Axis& y, const Stmt& body, const Stmt& init = {}) {
    return wrong({a, b}, loop(i, 128, loop(j, 128, block_of("C", {x, y}, {i, j}, body, init))));
  };
  CHECK(two(spatial(vi, 128), spatial(vj, 128), store(b, {vi, vj}, 1)) == "");
  CHECK(two(spatial(vi, 128), spatial(vj, 128), store(b, {0, floor_mod(vi + vj, 128)}, 1)) == "");
  CHECK(two(spatial(vi, 128), spatial(vj, 128), store(b, {vi, 0}, 1)) ==
        "the block C writes B[vi, 0], which does not move with the spatial axis vj: its instances write one element; "
        "make it a reduce or ordered axis\n");
  CHECK(two(spatial(vi, 128), ordered(vj, 128), store(b, {vi, 0}, 1)) == "");
  CHECK(two(spatial(vi, 128), reduce(vj, 128), store(b, {vi, 0}, 1)) == "");
  CHECK(two(spatial(vi, 128), reduce(vj, 128), store(b, {vi, vj}, 1)) ==
        "the block C writes B[vi, vj], which moves with the reduce axis vj: nothing is folded along it; make it a "
        "spatial axis\n");
  CHECK(two(spatial(vi, 128), reduce(vj, 128), store(b, {vi, 0}, 1), store(b, {0, 0}, 0)) ==
        "the block C writes B[0, 0], which does not move with the spatial axis vi: its instances write one element; "
        "make it a reduce or ordered axis\n");
  CHECK(two(spatial(vi, 128), ordered(vj, 128), store(b, {vi, vj}, 1), store(b, {vi, 0}, 0)) ==
        "the block C has an initialisation, but no reduce axis to begin; store before it instead\n");
  // Through loops, lets and conditions; in buffers of the block's own.
  const Var t("t"), x("x");
  CHECK(two(spatial(vi, 128), spatial(vj, 128), make_stmt(Let(t, vj + 0, loop_from(x, vi, 1, store(b, {x, t}, 1))))) ==
        "");
  CHECK(two(spatial(vi, 128), spatial(vj, 128), make_stmt(If(vj == 0, store(b, {vi, 0}, 1), {}))) == "");
  CHECK(two(spatial(vi, 128), spatial(vj, 128), make_stmt(If(vi == 0, store(b, {vi, 0}, 1), {}))) != "");
  const Buffer own = make_buffer("L", {1}, kInt32, "local");
  CHECK(two(spatial(vi, 128), reduce(vj, 128),
            make_stmt(Allocate(own, seq({store(own, {0}, 1), store(b, {vi, 0}, load(own, {0}))})))) == "");
  // Instructions.
  const auto instruction = [&](std::vector<Range> box, Touch touch) {
    return evaluate(raw<Call>(kVoid, "f", std::vector<Expr>{raw<View>(b, std::move(box), touch)}));
  };
  CHECK(two(spatial(vi, 128), spatial(vj, 128), instruction({{vi, 1}, {vj, 1}}, Touch::kWrite)) == "");
  CHECK(two(spatial(vi, 128), spatial(vj, 128), instruction({{vi, 1}, {0, 128}}, Touch::kReadWrite)) ==
        "the block C writes B[vi, 0:128], which does not move with the spatial axis vj: its instances write one "
        "element; make it a reduce or ordered axis\n");
  CHECK(two(spatial(vi, 128), spatial(vj, 128), instruction({{vi, 1}, {0, 128}}, Touch::kRead)) == "");
  // One instance writes what it likes.
  CHECK(wrong({a}, block_of("C", {spatial(vi, 1)}, {0}, store(a, {0}, 1))) == "");
  CHECK(wrong({a}, block_of("C", {spatial(vi, 4)}, {3}, store(a, {0}, 1))) == "");
}

TEST_CASE_METHOD(World, "blocks inside of blocks count for both", "[unit]") {
  const Var vo("vo");
  const auto nest = [&](const Expr& index, AxisKind outer) {
    const Stmt inner = loop(j, 16, block_of("inner", {spatial(vi, 128)}, {vo * 16 + j}, store(a, {index}, 1)));
    return wrong({a}, loop(i, 8, block_of("outer", {{vo, {0, 8}, outer}}, {i}, inner)));
  };
  CHECK(nest(vi, AxisKind::kSpatial) == "");
  CHECK(nest(vi, AxisKind::kReduce) ==
        "the block outer writes A[vi], which moves with the reduce axis vo: nothing is folded along it; make it a "
        "spatial axis\n");
  CHECK(nest(0, AxisKind::kOrdered) ==
        "the block inner writes A[0], which does not move with the spatial axis vi: its instances write one element; "
        "make it a reduce or ordered axis\n");
}

}  // namespace vantage::test::compiler_ir_verify_test
