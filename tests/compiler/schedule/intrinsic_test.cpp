// An intrinsic's parts do what its formula says, or it is refused.
#include "compiler/schedule/intrinsic.h"

#include "compiler/ir/printer.h"
#include "compiler/te/te.h"
#include "tests/catch.h"

namespace vantage::test::compiler_schedule_intrinsic_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Implementations;
using schedule::instruction;
using schedule::Intrinsic;
using schedule::Operands;

namespace {

// C = A . B of 2 x 3 by 3 x 2.
ir::PrimFunc product() {
  const te::Tensor a = placeholder({2, 3}, kInt8, "A"), b = placeholder({3, 2}, kInt8, "B");
  const ReduceAxis k = reduce_axis(3, "k");
  const te::Tensor c = compute(
      {2, 2}, [&](Expr i, Expr j) { return sum(cast(kInt32, a(i, k)) * cast(kInt32, b(k, j)), {k}); }, "C");
  return create_prim_func({a, b, c}, "product");
}

// C = A * 2
ir::PrimFunc twice() {
  const te::Tensor a = placeholder({4}, kInt32, "A");
  return create_prim_func({a, compute(
                                  {4}, [&](Expr i) { return a(i) * 2; }, "C")});
}

// dev.mma(C, A, B) and dev.set(C, value).
schedule::Externs device() {
  schedule::Externs externs;
  externs["dev.mma"] = [](ir::ExternCall& call) {
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < 2; ++j) {
        int64_t sum = call.view(0).get({i, j}).i;
        for (int64_t k = 0; k < 3; ++k) sum += call.view(1).get({i, k}).i * call.view(2).get({k, j}).i;
        call.view(0).set({i, j}, {.i = sum});
      }
    }
  };
  externs["dev.set"] = [](ir::ExternCall& call) {
    for (int64_t i = 0; i < 4; ++i) call.view(0).set({i / 2, i % 2}, {.i = call.integer(1)});
  };
  return externs;
}

ir::Stmt mma(const Operands& o) {
  return instruction("dev.mma", {o.update("C"), o.read("A"), o.read("B")});
}

Implementations::Body set(int64_t value) {
  return [=](const Operands& o) { return instruction("dev.set", {o.write("C"), Expr(value)}); };
}

Intrinsic declared(const Implementations& parts) {
  return {"dev.op", product(), parts, device()};
}

}  // namespace

TEST_CASE("an intrinsic has the parts that it is given", "[unit]") {
  const auto all = declared({.compute =
                                 [](const Operands& o) {
                                   return ir::seq({set(0)(o), mma(o)});
                                 },
                             .reset = set(0),
                             .update = mma,
                             .scopes = {{"A", "shared"}}});
  CHECK(all.name() == "dev.op");
  CHECK(all.reduces());
  CHECK(ir::to_text(all.compute()->implementation()) ==
        "@T.prim_func\n"
        "def dev.op.compute(A: T.Buffer((2, 3), \"int8\", scope=\"shared\"), B: T.Buffer((3, 2), \"int8\"), "
        "C: T.Buffer((2, 2), \"int32\")):\n"
        "    T.dev.set(C[0:2, 0:2], 0)\n"
        "    T.dev.mma(C[0:2, 0:2], A[0:2, 0:3], B[0:3, 0:2])\n");
  CHECK(ir::to_text(all.reset()->description()) ==
        "@T.prim_func\n"
        "def product(C: T.Buffer((2, 2), \"int32\")):\n"
        "    for i, j in T.grid(2, 2):\n"
        "        with T.block(\"C\"):\n"
        "            vi = T.axis.spatial(2, i)\n"
        "            vj = T.axis.spatial(2, j)\n"
        "            T.reads()\n"
        "            T.writes(C[vi, vj])\n"
        "            C[vi, vj] = 0\n");
  CHECK_THAT(ir::to_text(all.update()->description()), !ContainsSubstring("T.init"));

  const auto update = declared({.update = mma});
  CHECK(update.compute() == nullptr);
  CHECK(update.reset() == nullptr);
  const Intrinsic elementwise("dev.twice", twice(), {.compute = [](const Operands& o) {
                                const Var i("i");
                                const Expr value = ir::load(o["A"], {i});
                                return ir::loop(i, 4, ir::store(o["C"], {i}, value + value));
                              }});
  CHECK(!elementwise.reduces());
}

TEST_CASE("a part that does something else is refused by its name", "[unit]") {
  CHECK_THAT(ERROR_OF(declared({.compute = mma})),
             ContainsSubstring("the intrinsic dev.op.compute does not compute its description: in C, expected "));
  CHECK_THAT(ERROR_OF(declared({.reset = set(1), .update = mma})),
             ContainsSubstring("the intrinsic dev.op.reset does not compute its description: in C, expected 0"));
  CHECK_THAT(ERROR_OF(declared({.update = set(0)})),
             ContainsSubstring("the intrinsic dev.op.update does not compute its description: in C, expected "));
}

TEST_CASE("parts that there cannot be are refused", "[unit]") {
  CHECK(ERROR_OF(declared({})) == "the intrinsic dev.op has no compute and no update; give it one");
  CHECK(ERROR_OF(declared({.reset = set(0)})) == "the intrinsic dev.op has no compute and no update; give it one");
  CHECK(ERROR_OF(Intrinsic("dev.twice", twice(), {})) == "the intrinsic dev.twice has no compute; give it one");
  CHECK(ERROR_OF(Intrinsic("dev.twice", twice(), {.update = mma})) ==
        "the intrinsic dev.twice reduces nothing, so there is no update of it; give it a compute alone");
  CHECK(ERROR_OF(declared({.reset = mma, .update = mma})) == "dev.op.reset has no operand 'A'; it has C");
  CHECK(ERROR_OF(declared({.update = mma, .scopes = {{"D", "local"}}})) ==
        "the intrinsic dev.op has no parameter D, for which it names a memory");
}

TEST_CASE("formulas that describe no instruction are refused", "[unit]") {
  const auto refused = [](const ir::PrimFunc& definition) {
    const auto copy = [](const Operands& o) { return instruction("dev.copy", {o.write("C"), o.read("A")}); };
    return ERROR_OF(Intrinsic("dev.op", definition, {.compute = copy}));
  };
  const te::Tensor a = placeholder({8}, kInt32, "A");
  const te::Tensor b = compute(
      {8}, [&](Expr i) { return a(i) + 1; }, "B");
  CHECK(refused(create_prim_func({a, compute(
                                         {8}, [&](Expr i) { return b(i) * 2; }, "C")})) ==
        "the intrinsic dev.op is described by more than one block under its loops; describe it by one formula");
  const Var n = var("n");
  const te::Tensor s = placeholder({n}, kInt32, "A");
  CHECK(refused(create_prim_func({s, compute(
                                         {n}, [&](Expr i) { return s(i) + 1; }, "C")})) ==
        "the intrinsic dev.op.compute has a parameter A of the size 'n', expected constants");
  const te::Tensor half = compute(
      {4}, [&](Expr i) { return a(i + 2); }, "C");
  CHECK(refused(create_prim_func({a, half})) ==
        "the intrinsic dev.op.compute has a parameter A of the size 8 in dimension 0, of which its description uses 4 "
        "from 2 on; make the parameter that large");
}

}  // namespace vantage::test::compiler_schedule_intrinsic_test
