// Tensors made by statements of the user's, or by a function that is called by name.
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/te/te.h"
#include "tests/catch.h"

namespace vantage::test::compiler_te_external_test {

using namespace vantage;
using namespace vantage::te;

namespace {

// Every row of `in`, backwards.
void reverse_rows(ir::ExternCall& call) {
  const ir::ExternView &in = call.view(0), &out = call.view(1);
  const int64_t rows = in.extents()[0], columns = in.extents()[1];
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) out.set({i, j}, in.get({i, columns - 1 - j}));
  }
}

vantage::Tensor numbered(const std::vector<int64_t>& shape) {
  vantage::Tensor array(kInt32, shape);
  for (int64_t e = 0; e < array.size(); ++e) array.set_integer(e, e);
  return array;
}

}  // namespace

TEST_CASE("a function that is called by name makes a tensor", "[unit]") {
  const Var n = var("n");
  const te::Tensor x = placeholder({n, 3}, kInt32, "X");
  const te::Tensor more = compute(
      {n, 3}, [&](Expr i, Expr j) { return x(i, j) + 1; }, "more");
  const te::Tensor turned = external({n, 3}, kInt32, {more}, "reverse_rows", "turned");
  const te::Tensor y = turned * 2;
  const ir::PrimFunc f = create_prim_func({x, y.named("Y")}, "f");
  const std::string text = to_text(f);
  CHECK(text == R"(@T.prim_func
def f(X: T.Buffer((n, 3), "int32"), Y: T.Buffer((n, 3), "int32")):
    more = T.alloc_buffer((n, 3), "int32")
    turned = T.alloc_buffer((n, 3), "int32")
    for i, j in T.grid(n, 3):
        with T.block("more"):
            vi = T.axis.spatial(n, i)
            vj = T.axis.spatial(3, j)
            T.reads(X[vi, vj])
            T.writes(more[vi, vj])
            more[vi, vj] = X[vi, vj] + 1
    with T.block("turned"):
        T.reads(more[0:n, 0:3])
        T.writes(turned[0:n, 0:3])
        T.call_extern("reverse_rows", T.reads(more[0:n, 0:3]), T.writes(turned[0:n, 0:3]))
    for i_1, j_1 in T.grid(n, 3):
        with T.block("Y"):
            vi_1 = T.axis.spatial(n, i_1)
            vj_1 = T.axis.spatial(3, j_1)
            T.reads(turned[vi_1, vj_1])
            T.writes(Y[vi_1, vj_1])
            Y[vi_1, vj_1] = turned[vi_1, vj_1] * 2
)");
  CHECK(to_text(ir::parse_function(text, "f")) == text);
  vantage::Tensor in = numbered({2, 3}), out(kInt32, {2, 3});
  ir::interpret(f, {&in, &out}, {.externs = {{"reverse_rows", reverse_rows}}});
  CHECK(out.at({1, 0}) == (5 + 1) * 2);
  CHECK(out.at({0, 2}) == (0 + 1) * 2);
  CHECK(ERROR_OF(ir::interpret(f, {&in, &out})) ==
        "the function reverse_rows is neither an intrinsic nor among the interpreter's externs");
}

TEST_CASE("statements of the user's make tensors, each of its own shape and type", "[unit]") {
  // Running sums, and the last of them.
  const te::Tensor x = placeholder({6}, kInt32, "X");
  const Var i("i");
  const auto sums = external(
      {{{6}, kInt32}, {{}, kFloat32}}, {x},
      [&](const Buffers& in, const Buffers& out) {
        const ir::Buffer sum = ir::make_buffer("sum", {1}, kInt32, "local");
        const ir::Stmt step = ir::seq({ir::store(sum, {0}, ir::load(sum, {0}) + ir::load(in[0], {i})),
                                       ir::store(out[0], {i}, ir::load(sum, {0}))});
        return ir::make_stmt(
            ir::Allocate(sum, ir::seq({ir::store(sum, {0}, 0), ir::loop(i, 6, step),
                                       ir::store(out[1], {}, ir::cast(kFloat32, ir::load(sum, {0})))})));
      },
      "sums");
  // The same statements twice have loops of their own.
  const te::Tensor again = external(
      {6}, kInt32, {sums[0]},
      [&](const Buffers& in, const Buffers& out) {
        return ir::loop(i, 6, ir::store(out[0], {i}, ir::load(in[0], {5 - i})));
      },
      "again");
  const ir::PrimFunc f = create_prim_func({x, sums[1], again}, "f");
  vantage::Tensor in = numbered({6}), last(kFloat32, {}), out(kInt32, {6});
  ir::interpret(f, {&in, &last, &out});
  CHECK(last.number(0) == 15);
  CHECK(out.at({0}) == 15);
  CHECK(out.at({4}) == 1);
}

TEST_CASE("what externals refuse", "[unit]") {
  const te::Tensor x = placeholder({4}, kInt32, "X"), y = placeholder({4}, kInt32, "Y");
  const auto error = [&](const ExternalBody& body) { return ERROR_OF(external({4}, kInt32, {x}, body, "E")); };
  const auto set = [](const ir::Buffer& buffer) { return ir::store(buffer, {0}, 1); };
  CHECK(error([](const Buffers&, const Buffers&) { return ir::Stmt(); }) ==
        "the external E has no statements; let its body return some");
  CHECK(error([&](const Buffers& in, const Buffers& out) {
          return ir::seq({set(in[0]), set(out[0])});
        }) == "the external E writes its input X; make it an output");
  CHECK(error([&](const Buffers&, const Buffers& out) { return ir::store(out[0], {0}, y(0)); }) ==
        "the external E touches Y, which is neither an input nor an output of it; add it to the inputs");
  CHECK(error([&](const Buffers&, const Buffers& out) { return ir::call_extern("f", {ir::reads(out[0])}); }) ==
        "the external E does not write its output E");
  CHECK(ERROR_OF(external({4}, kInt32, {x, x}, "f", "E")) == "the external E has the input X twice");
  CHECK(ERROR_OF(external(std::vector<OutputType>(), {x}, "f", "E")) ==
        "the external E makes nothing; give it an output");
  CHECK(ERROR_OF(create_prim_func({external({4}, kInt32, {x}, "f", "E")})) ==
        "the function main reads X, which is not among its arguments");
  // In the step of a recurrence.
  const te::Tensor state = placeholder({4, 4}, kInt32, "state");
  const te::Tensor inside = external({4}, kInt32, {state}, "f", "inside");
  const te::Tensor init = compute(
      {1, 4}, [&](Expr, Expr j) { return x(j); }, "init");
  const te::Tensor update = compute(
      {4, 4}, [&](Expr, Expr j) { return inside(j); }, "update");
  CHECK(ERROR_OF(create_prim_func({x, scan(init, update, state, "S")})) ==
        "the scan S: the external inside reads what a step makes, but has no time; only computes are steps");
}

TEST_CASE("formulas call functions of the user's on elements and on boxes", "[unit]") {
  const te::Tensor x = placeholder({4, 3}, kInt32, "X");
  const te::Tensor y = compute(
      {4},
      [&](Expr i) {
        return call_pure_extern(kInt32, "sum_of", {ir::reads(x.buffer(), {{i, 1}, {0, 3}})}) +
               call_pure_extern(kInt32, "negative", {x(i, 0)});
      },
      "Y");
  const ir::PrimFunc f = create_prim_func({x, y}, "f");
  const std::string text = to_text(f);
  CHECK_THAT(text, ContainsSubstring("T.reads(X[vi, 0:3])") &&
                       ContainsSubstring("Y[vi] = T.call_pure_extern(\"int32\", \"sum_of\", T.reads(X[vi, 0:3])) + "
                                         "T.call_pure_extern(\"int32\", \"negative\", X[vi, 0])"));
  CHECK(to_text(ir::parse_function(text, "f")) == text);
  vantage::Tensor in = numbered({4, 3}), out(kInt32, {4});
  ir::InterpreterOptions options;
  options.externs["negative"] = [](ir::ExternCall& call) { call.set_result({.i = -call.integer(0)}); };
  options.externs["sum_of"] = [](ir::ExternCall& call) {
    int64_t sum = 0;
    for (int64_t j = 0; j < 3; ++j) sum += call.view(0).get({0, j}).i;
    call.set_result({.i = sum});
  };
  ir::interpret(f, {&in, &out}, options);
  CHECK(out.at({3}) == 9 + 10 + 11 - 9);
}

}  // namespace vantage::test::compiler_te_external_test
