// Which part of an intrinsic takes the place of what, and why none does.
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_te.h"

namespace vantage::test::compiler_schedule_tensorize_test {

using namespace vantage;
using namespace vantage::te;
using schedule::Implementations;
using schedule::Intrinsic;
using schedule::LoopRV;
using schedule::Operands;
using schedule::Schedule;

namespace {

struct Types {
  DType a = kInt8, b = kInt8, c = kInt32;
};

// C[i, j] = sum of A[i, k] * B[j, k]
ir::PrimFunc product(int64_t m, int64_t n, int64_t depth, const Types& types = {}) {
  const te::Tensor a = placeholder({m, depth}, types.a, "A"), b = placeholder({n, depth}, types.b, "B");
  const ReduceAxis k = reduce_axis(depth, "k");
  const te::Tensor c = compute(
      {m, n}, [&](Expr i, Expr j) { return sum(cast(types.c, a(i, k)) * cast(types.c, b(j, k)), {k}); }, "C");
  return create_prim_func({a, b, c}, "product");
}

// What the instruction does by loops of its own, 2 x 2 x 4.
ir::Stmt add_product(const Operands& o) {
  const Var i("i"), j("j"), k("k");
  const Expr product = cast(kInt32, ir::load(o["A"], {i, k})) * cast(kInt32, ir::load(o["B"], {j, k}));
  return ir::loop(k, 4, ir::loop(j, 2, ir::loop(i, 2, ir::store(o["C"], {i, j}, ir::load(o["C"], {i, j}) + product))));
}

ir::Stmt clear(const Operands& o) {
  const Var i("i"), j("j");
  return ir::loop(j, 2, ir::loop(i, 2, ir::store(o["C"], {i, j}, 0)));
}

ir::Stmt whole(const Operands& o) {
  return ir::seq({clear(o), add_product(o)});
}

// 4 x 4 x 8 in tiles of the instruction, with the loops in front of it in this order ("ijk").
struct Tiled {
  explicit Tiled(const Implementations& parts, const std::string& order = "ijk",
                 const ir::PrimFunc& f = product(4, 4, 8))
      : s(f, {std::make_shared<const Intrinsic>("dev.mma", product(2, 2, 4), parts)}) {
    const auto loops = s.get_loops(s.get_block("C"));
    const int64_t sizes[] = {2, 2, 4};
    std::map<char, LoopRV> outer;
    std::vector<LoopRV> inner;
    for (size_t l = 0; l < 3; ++l) {
      const auto parts_of_loop = s.split_by_factor(loops[l], sizes[l]);
      outer["ijk"[l]] = parts_of_loop[0];
      inner.push_back(parts_of_loop[1]);
    }
    std::vector<LoopRV> all;
    for (const char c : order) all.push_back(outer.at(c));
    all.insert(all.end(), inner.begin(), inner.end());
    s.reorder(all);
    outermost = all[0];
    loop = inner[0];
    last_outer = all[2];
  }
  // "" when it computes what it did before.
  std::string tensorized() {
    const ir::PrimFunc before = s.function();
    s.tensorize(loop, "dev.mma");
    std::mt19937_64 random(1);
    const auto arrays = test::random_arrays(before, random);
    return test::first_difference(before, test::run(before, arrays, {}), test::run(s.function(), arrays, {}));
  }
  std::string refused() {
    const std::string before = ir::to_text(s.function());
    const std::string message = ERROR_OF(s.tensorize(loop, "dev.mma"));
    CHECK(ir::to_text(s.function()) == before);
    return message;
  }
  // Loops and blocks, one after the other.
  std::string outline() const {
    std::string result;
    const std::function<void(const ir::Stmt&)> walk = [&](const ir::Stmt& stmt) {
      if (const auto* l = stmt.as<ir::For>()) {
        result += l->var.name() + "(";
        walk(l->body);
        result += ")";
      } else if (const auto* block = stmt.as<ir::Block>()) {
        result += block->name + (block->annotations.count("tensor_intrinsic") > 0 ? "!" : "") + " ";
      } else if (const auto* seq = stmt.as<ir::Seq>()) {
        for (const ir::Stmt& one : seq->stmts) walk(one);
      }
    };
    walk(s.function().body);
    return result;
  }

  Schedule s;
  LoopRV outermost, loop, last_outer;
};

const Implementations kUpdate = {.update = add_product};
const Implementations kBoth = {.reset = clear, .update = add_product};
const Implementations kAll = {.compute = whole, .reset = clear, .update = add_product};
const Implementations kCompute = {.compute = whole};

}  // namespace

TEST_CASE("initial values go in front of all of the reduction", "[unit]") {
  // As plain stores without a reset.
  Tiled plain(kUpdate);
  CHECK(plain.tensorized() == "");
  CHECK(plain.outline() == "i_0(j_0(i_1(j_1(C_init ))k_0(C_o! )))");
  Tiled made(kBoth);
  CHECK(made.tensorized() == "");
  CHECK(made.outline() == "i_0(j_0(C_init_o! k_0(C_o! )))");
  // In front of the outermost loop of the reduction, for all elements that are made in it.
  Tiled outside(kBoth, "kij");
  CHECK(outside.tensorized() == "");
  CHECK(outside.outline() == "i_0(j_0(C_init_o! ))k_0(i_0(j_0(C_o! )))");
  Tiled between(kAll, "ikj");
  CHECK(between.tensorized() == "");
  CHECK(between.outline() == "i_0(j_0(C_init_o! )k_0(j_0(C_o! )))");
  // The same as by hand.
  Tiled by_hand(kUpdate, "ikj");
  by_hand.s.decompose_reduction(by_hand.s.get_block("C"), by_hand.s.get_loops(by_hand.s.get_block("C"))[1]);
  CHECK(by_hand.tensorized() == "");
  Tiled by_itself(kUpdate, "ikj");
  CHECK(by_itself.tensorized() == "");
  CHECK(ir::to_text(by_hand.s.function()) == ir::to_text(by_itself.s.function()));
}

TEST_CASE("a whole reduction is computed from nothing", "[unit]") {
  for (const std::string order : {"ijk", "kij"}) {
    Tiled all(kAll, order, product(4, 4, 4));
    CHECK(all.tensorized() == "");
    CHECK(all.outline() == (order == "ijk" ? "i_0(j_0(k_0(C_o! )))" : "k_0(i_0(j_0(C_o! )))"));
  }
  // Where it cannot be, the initial values stand in front of it.
  Tiled both(kBoth, "ijk", product(4, 4, 4));
  CHECK(both.tensorized() == "");
  CHECK(both.outline() == "i_0(j_0(C_init_o! k_0(C_o! )))");
}

TEST_CASE("what decompose_reduction took out can be made by the reset", "[unit]") {
  Tiled t(kBoth);
  const auto init = t.s.decompose_reduction(t.s.get_block("C"), t.last_outer);
  CHECK(t.tensorized() == "");
  const auto loops = t.s.get_loops(init);
  t.s.tensorize(loops[2], "dev.mma");
  CHECK(t.outline() == "i_0(j_0(C_init_o! k_0(C_o! )))");
}

TEST_CASE("initial values that blockize has put into the outer block", "[unit]") {
  for (const auto& parts : {kUpdate, kAll}) {
    Tiled t(parts, "ikj");
    t.s.blockize(t.loop);
    CHECK(t.tensorized() == "");
    CHECK(t.outline() == (parts.reset ? "i_0(j_0(C_o_init! )k_0(j_0(C_o )))" : "i_0(j_0(C_o_init )k_0(j_0(C_o )))"));
  }
}

TEST_CASE("several values at once", "[unit]") {
  // The largest of four values, and its number.
  const auto argmax = te::comm_reducer(
      [](const Values& l, const Values& r) -> Values {
        return {if_then_else(l[1] >= r[1], l[0], r[0]), max(l[1], r[1])};
      },
      [](const std::vector<DType>& t) -> Values {
        return {Expr(-1), min_value(t[1])};
      },
      "argmax");
  const auto function = [&](int64_t size) {
    const te::Tensor number = placeholder({size}, kInt32, "N"), value = placeholder({size}, kInt32, "V");
    const ReduceAxis k = reduce_axis(size, "k");
    const auto out = compute_tuple(
        {1},
        [&](Expr) {
          return argmax({number(k), value(k)}, {k});
        },
        "T");
    return create_prim_func({number, value, out[0], out[1]});
  };
  const auto update = [](const Operands& o) {
    const Var i("i");
    const Expr value = ir::load(o["V"], {i}), best = ir::load(o["T_1"], {0});
    const Expr number = if_then_else(best >= value, ir::load(o["T_0"], {0}), ir::load(o["N"], {i}));
    return ir::loop(i, 4, ir::seq({ir::store(o["T_0"], {0}, number), ir::store(o["T_1"], {0}, max(best, value))}));
  };
  const auto declared = std::make_shared<const Intrinsic>("dev.argmax", function(4), Implementations{.update = update});
  const ir::PrimFunc whole = function(12);
  Schedule s(whole, {declared});
  s.tensorize(s.split_by_factor(s.get_loops(s.get_block("T"))[1], 4)[1], "dev.argmax");
  std::mt19937_64 random(1);
  const auto arrays = test::random_arrays(whole, random);
  CHECK(test::first_difference(whole, test::run(whole, arrays, {}), test::run(s.function(), arrays, {})) == "");
}

TEST_CASE("an instruction of one element", "[unit]") {
  const te::Tensor a = placeholder({8}, kInt32, "A");
  const ReduceAxis k = reduce_axis(8, "k");
  const ir::PrimFunc dot = create_prim_func({a, compute(
                                                    {1}, [&](Expr) { return sum(a(k), {k}); }, "C")});
  const te::Tensor x = placeholder({3, 16}, kInt32, "X");
  const ReduceAxis l = reduce_axis(16, "l");
  const ir::PrimFunc rows = create_prim_func({x, compute(
                                                     {3}, [&](Expr i) { return sum(x(i, l), {l}); }, "R")});
  const auto update = [](const Operands& o) {
    const Var i("i");
    return ir::loop(i, 8, ir::store(o["C"], {0}, ir::load(o["C"], {0}) + ir::load(o["A"], {i})));
  };
  const auto reset = [](const Operands& o) { return ir::store(o["C"], {0}, 0); };
  Schedule s(rows,
             {std::make_shared<const Intrinsic>("dev.dot", dot, Implementations{.reset = reset, .update = update})});
  const auto parts = s.split_by_factor(s.get_loops(s.get_block("R"))[1], 8);
  s.tensorize(parts[1], "dev.dot");
  CHECK_THAT(ir::to_text(s.function()), ContainsSubstring("with T.block(\"R_init_o\")"));
  std::mt19937_64 random(1);
  const auto arrays = test::random_arrays(rows, random);
  CHECK(test::first_difference(rows, test::run(rows, arrays, {}), test::run(s.function(), arrays, {})) == "");
}

TEST_CASE("parts that are missing", "[unit]") {
  CHECK(
      Tiled(kCompute).refused() ==
      "tensorize: the loop k_0 of the reduction of C stands outside of i_1, and dev.mma begins anew each time, so that "
      "what was there would be lost: it has a compute and no update; tensorize all of the reduction at once, or give "
      "dev.mma an update");
  Tiled decomposed(kCompute);
  decomposed.s.decompose_reduction(decomposed.s.get_block("C"), decomposed.last_outer);
  CHECK(decomposed.refused() ==
        "tensorize: the block C adds to what is there, which dev.mma would overwrite: it has a compute and no update; "
        "tensorize before decompose_reduction, or give dev.mma an update");
  const te::Tensor a = placeholder({4}, kInt32, "A");
  const ir::PrimFunc copy = create_prim_func({a, compute(
                                                     {4}, [&](Expr i) { return a(i); }, "C")});
  const auto copied = [](const Operands& o) {
    const Var i("i");
    return ir::loop(i, 4, ir::store(o["C"], {i}, ir::load(o["A"], {i})));
  };
  Schedule s(product(4, 4, 8),
             {std::make_shared<const Intrinsic>("dev.copy", copy, Implementations{.compute = copied})});
  CHECK(ERROR_OF(s.tensorize(s.get_loops(s.get_block("C"))[1], "dev.copy")) ==
        "tensorize: the block C reduces, and dev.copy does not");
  Schedule c(copy, {std::make_shared<const Intrinsic>("dev.mma", product(2, 2, 4), kCompute)});
  CHECK(ERROR_OF(c.tensorize(c.get_loops(c.get_block("C"))[0], "dev.mma")) ==
        "tensorize: the block C reduces nothing, and dev.mma does");
}

TEST_CASE("what differs is named", "[unit]") {
  const std::string update = "tensorize: the block C is not what dev.mma.update computes: ";
  CHECK(Tiled(kUpdate, "ijk", product(4, 4, 8, {.a = kInt16})).refused() ==
        update + "A is int16, expected int8 as A is");
  CHECK(Tiled(kUpdate, "ijk", product(4, 4, 8, {.b = kInt32})).refused() ==
        update + "B is int32, expected int8 as B is");
  CHECK(Tiled(kUpdate, "ijk", product(4, 4, 8, {.c = kInt64})).refused() ==
        update + "C is int64, expected int32 as C is");
  // Types come before anything else that differs.
  Schedule whole_loops(product(4, 4, 8, {.a = kInt16}),
                       {std::make_shared<const Intrinsic>("dev.mma", product(2, 2, 4), kUpdate)});
  CHECK(ERROR_OF(whole_loops.tensorize(whole_loops.get_loops(whole_loops.get_block("C"))[0], "dev.mma")) ==
        update + "A is int16, expected int8 as A is");
  Schedule loops(product(4, 4, 8), {std::make_shared<const Intrinsic>("dev.mma", product(2, 2, 4), kUpdate)});
  CHECK(ERROR_OF(loops.tensorize(loops.get_loops(loops.get_block("C"))[0], "dev.mma")) ==
        update + "its loops of more than one iteration are i(4), j(4), k(8), expected i(2), j(2), k(4)");

  const auto other = [](const std::function<Expr(Expr, Expr)>& value, bool transposed = false) {
    const te::Tensor a = placeholder({4, 8}, kInt8, "A");
    const te::Tensor b = transposed ? placeholder({8, 4}, kInt8, "B") : placeholder({4, 8}, kInt8, "B");
    const ReduceAxis k = reduce_axis(8, "k");
    const te::Tensor c = compute(
        {4, 4},
        [&](Expr i, Expr j) {
          return sum(value(cast(kInt32, a(i, k)), cast(kInt32, transposed ? b(k, j) : b(j, k))), {k});
        },
        "C");
    return create_prim_func({a, b, c});
  };
  CHECK(Tiled(kUpdate, "ijk", other([](Expr a, Expr b) { return a + b; })).refused() ==
        update +
            "it has 'T.Cast(\"int32\", A[vi_o * 2 + i_1, vk_o * 4 + k_1]) + T.Cast(\"int32\", B[vj_o * 2 + j_1, "
            "vk_o * 4 + k_1])', expected 'T.Cast(\"int32\", A[i, k]) * T.Cast(\"int32\", B[j, k])'");
  CHECK(Tiled(kUpdate, "ijk", other([](Expr a, Expr b) { return a * b; }, true)).refused() ==
        update + "B is indexed by 'vk_o * 4 + k_1' in dimension 0, where the index of B is 'j'");
  // Initial values that the instruction does not make.
  const auto add = te::comm_reducer([](const Values& x, const Values& y) -> Values { return {x[0] + y[0]}; },
                                    [](const std::vector<DType>&) -> Values { return {Expr(7)}; }, "from_seven");
  const te::Tensor a = placeholder({4, 8}, kInt8, "A"), b = placeholder({4, 8}, kInt8, "B");
  const ReduceAxis k = reduce_axis(8, "k");
  const te::Tensor c = compute(
      {4, 4}, [&](Expr i, Expr j) { return add({cast(kInt32, a(i, k)) * cast(kInt32, b(j, k))}, {k}); }, "C");
  const ir::PrimFunc from_seven = create_prim_func({a, b, c});
  CHECK(Tiled(kBoth, "ijk", from_seven).refused() ==
        "tensorize: the block C_init is not what dev.mma.reset computes: it has '7', expected '0'; "
        "decompose_reduction(C, k_0) leaves the initial values as plain stores");
  CHECK(Tiled(kUpdate, "ijk", from_seven).tensorized() == "");
}

TEST_CASE("an instruction does not write what it reads beside it", "[unit]") {
  // S[t] = S[t - 1] + X[t], two elements of one step at a time.
  const te::Tensor x = placeholder({4, 2}, kInt32, "X"), state = placeholder({4, 2}, kInt32, "state");
  const te::Tensor init = compute(
      {1, 2}, [&](Expr, Expr j) { return x(0, j); }, "init");
  const te::Tensor next = compute(
      {4, 2}, [&](Expr t, Expr j) { return state(t - 1, j) + x(t, j); }, "update");
  const ir::PrimFunc running = create_prim_func({x, scan(init, next, state, "S")});
  const te::Tensor a = placeholder({2}, kInt32, "A"), b = placeholder({2}, kInt32, "B");
  const ir::PrimFunc add = create_prim_func({a, b,
                                             compute(
                                                 {2}, [&](Expr i) { return a(i) + b(i); }, "C")});
  const auto backwards = [](const Operands& o) {
    const Var i("i");
    return ir::loop(i, 2, ir::store(o["C"], {1 - i}, ir::load(o["A"], {1 - i}) + ir::load(o["B"], {1 - i})));
  };
  const auto vector_add = std::make_shared<const Intrinsic>("dev.add", add, Implementations{.compute = backwards});
  Schedule elements(running, {vector_add});
  elements.tensorize(elements.get_loops(elements.get_block("update"))[1], "dev.add");
  std::mt19937_64 random(1);
  const auto arrays = test::random_arrays(running, random);
  CHECK(test::first_difference(running, test::run(running, arrays, {}), test::run(elements.function(), arrays, {})) ==
        "");

  const ir::PrimFunc in_place = ir::parse_function(
      "@T.prim_func\n"
      "def f(X: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n"
      "    for i_0, i_1 in T.grid(2, 2):\n"
      "        with T.block(\"X\"):\n"
      "            v = T.axis.spatial(4, i_0 * 2 + i_1)\n"
      "            T.reads(Y[v])\n"
      "            T.writes(X[v])\n"
      "            X[v] = X[v] + Y[v]\n",
      "text");
  Schedule same(in_place, {vector_add});
  CHECK(ERROR_OF(same.tensorize(same.get_loops(same.get_block("X"))[1], "dev.add")) ==
        "tensorize: the block X is not what dev.add.compute computes: X stands for both C and A, which it keeps apart; "
        "cache one of them");
}

}  // namespace vantage::test::compiler_schedule_tensorize_test
