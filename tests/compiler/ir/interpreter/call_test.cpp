// Intrinsics and functions that the caller supplies.
#include <cmath>

#include "base/tensor/dtype.h"
#include "compiler/ir/interpreter/extern_call.h"
#include "tests/catch.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test::compiler_ir_interpreter_call_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

Expr call_of(const std::string& name, std::vector<Expr> arguments, DType dtype = kVoid) {
  return Expr(std::make_shared<Call>(dtype, name, std::move(arguments)));
}

Expr view(const Buffer& buffer, std::vector<Range> box, Touch touch) {
  return Expr(std::make_shared<View>(buffer, std::move(box), touch));
}

}  // namespace

TEST_CASE("every intrinsic computes what its row of the table says, rounded", "[unit]") {
  for (const Intrinsic& row : intrinsics()) {
    INFO(row.name);
    if (row.kind == IntrinsicKind::kHint || row.kind == IntrinsicKind::kBarrier) continue;
    if (row.kind == IntrinsicKind::kBytes) continue;
    for (DType type : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
      // Of which each function is a number.
      const double a = round_to(type, row.name == "acosh" ? 1.3 : 0.3), b = round_to(type, 0.7);
      std::vector<Expr> arguments = {make_float(type, a)};
      if (row.arity == 2) arguments.push_back(make_float(type, b));
      const Scalar got = value_of(ir::call(row.name, arguments));
      const double expected = row.evaluate(a, b);
      if (row.kind == IntrinsicKind::kPredicate) {
        CHECK(got.i == static_cast<int64_t>(expected));
      } else {
        CHECK(got.f == round_to(type, expected));
      }
    }
  }
  CHECK(value_of(ir::call("isnan", {make_float(kFloat32, std::nan(""))})).i == 1);
  CHECK(value_of(ir::call("isinf", {make_float(kFloat32, -INFINITY)})).i == 1);
  CHECK(value_of(ir::call("pow", {make_float(kFloat64, 2), make_float(kFloat64, 10)})).f == 1024);
  CHECK(value_of(ir::call(kLikely, {true})).i == 1);
  // Bytes -1, -128, 2, 127 times 127, 3, -1, -128; the same with 255 and 128 in front.
  const Expr a = make_int(kInt32, 0x7f0280ff), b = make_int(kInt32, wrap(kInt32, 0x80ff037f));
  CHECK(value_of(ir::call(kDot4, {a, b})).i == -127 - 384 - 2 - 16256);
  CHECK(value_of(ir::call(kDot4UnsignedSigned, {a, b})).i == 255 * 127 + 384 - 2 - 16256);
}

TEST_CASE("abs of an integer is exact and wraps at the smallest", "[unit]") {
  const auto abs_of = [](DType type, int64_t value) { return value_of(ir::call("abs", {make_int(type, value)})).i; };
  CHECK(abs_of(kInt8, -5) == 5);
  CHECK(abs_of(kInt8, -128) == -128);
  CHECK(abs_of(kInt64, -((int64_t{1} << 62) + 1)) == (int64_t{1} << 62) + 1);
  CHECK(abs_of(kInt64, INT64_MIN) == INT64_MIN);
}

TEST_CASE("an extern gets numbers, texts and views", "[unit]") {
  const Buffer a = make_buffer("A", {4, 6}, kInt8);
  const Buffer t = make_buffer("T", {6}, kInt8, "vta.acc_buffer");
  const Var i("i");
  InterpreterOptions options;
  options.externs["row.add"] = [](ExternCall& call) {
    REQUIRE(call.size() == 5);
    CHECK(call.name() == "row.add");
    CHECK(call.text(2) == "up");
    CHECK(call.number(4) == 0.5);
    const ExternView &dst = call.view(0), &src = call.view(1);
    CHECK(dst.buffer_name() == "T");
    CHECK(dst.scope() == "vta.acc_buffer");
    CHECK(dst.dtype() == kInt8);
    CHECK(dst.extents() == std::vector<int64_t>{3});
    CHECK(src.origin() == std::vector<int64_t>{call.integer(3), 2});
    CHECK(src.extents() == std::vector<int64_t>{1, 3});
    for (int64_t x = 0; x < 3; ++x) dst.set({x}, {.i = src.get({0, x}).i + 100});
  };
  const Expr call = call_of("row.add", {view(t, {{i, 3}}, Touch::kWrite), view(a, {{i, 1}, {2, 3}}, Touch::kRead),
                                        make_string("up"), i, 0.5F});
  const Var j("j");
  const Stmt back = loop(j, 3, store(a, {0, j}, load(t, {j + 1})));
  const Stmt body = make_stmt(Let(i, 1, seq({evaluate(call), back})));
  Tensor x(kInt8, {4, 6});
  for (int64_t e = 0; e < x.size(); ++e) x.set_integer(e, e * 4);
  interpret(function({a}, body, {t}), {&x}, options);
  // A[1, 2:5] is 32, 36, 40; what is set wraps.
  CHECK(x.at({0, 0}) == wrap(kInt8, 132));
  CHECK(x.at({0, 2}) == wrap(kInt8, 140));
}

TEST_CASE("an extern's value is the call's", "[unit]") {
  InterpreterOptions options;
  options.externs["twice"] = [](ExternCall& call) { call.set_result({.i = call.integer(0) * 2}); };
  options.externs["nothing"] = [](ExternCall&) {};
  CHECK(value_of(call_of("twice", {make_int(kInt8, 50)}, kInt8) + 1, options).i == 101);
  CHECK(value_of(call_of("twice", {make_int(kInt8, 100)}, kInt8), options).i == -56);
  CHECK(value_of(cast(kInt32, call_of("twice", {make_int(kInt8, 100)}, kInt8)), options).i == -56);
  CHECK(value_of(call_of("nothing", {}, kInt32), options).i == 0);
  CHECK(ERROR_OF(value_of(call_of("thrice", {1}, kInt32), options)) ==
        "the function thrice is neither an intrinsic nor among the interpreter's externs");
}

TEST_CASE("views keep to their box, their purpose and written elements", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Buffer t = make_buffer("T", {4}, kInt32);
  const auto run = [&](const Expr& argument, const Extern& function_called) {
    InterpreterOptions options;
    options.externs["f"] = function_called;
    Tensor x = array_of(kInt32, {1, 2, 3, 4});
    interpret(function({a}, evaluate(call_of("f", {argument})), {t}), {&x}, options);
    return integers(x);
  };
  const Extern nothing = [](ExternCall&) {};
  const Extern get = [](ExternCall& call) { call.view(0).get({1}); };
  const Extern set = [](ExternCall& call) { call.view(0).set({1}, {.i = 9}); };
  CHECK(run(view(a, {{2, 2}}, Touch::kReadWrite), set) == std::vector<int64_t>{1, 2, 3, 9});
  run(view(a, {{5, 0}}, Touch::kRead), nothing);  // of nothing, anywhere
  CHECK(ERROR_OF(run(view(a, {{2, 3}}, Touch::kRead), nothing)) ==
        "the view A[2:5] begins at 2 and has 3 elements in dimension 0, but A's extent is 4");
  CHECK_THAT(ERROR_OF(run(view(a, {{-1, 2}}, Touch::kRead), nothing)), ContainsSubstring("begins at -1"));
  CHECK_THAT(ERROR_OF(run(view(a, {{5, 1}}, Touch::kRead), nothing)), ContainsSubstring("begins at 5"));
  CHECK_THAT(ERROR_OF(run(view(a, {{1, -1}}, Touch::kRead), nothing)), ContainsSubstring("has -1 elements"));
  CHECK(ERROR_OF(run(view(a, {{2, 1}}, Touch::kRead), get)) ==
        "index 1 in dimension 0 is outside the view A[2], which has 1 elements there");
  CHECK(ERROR_OF(run(view(a, {{2, 2}}, Touch::kWrite), get)) ==
        "the view A[2:4] is read, but was made only for writing");
  CHECK(ERROR_OF(run(view(a, {{2, 2}}, Touch::kRead), set)) ==
        "the view A[2:4] is written, but was made only for reading");
  CHECK(ERROR_OF(run(view(t, {{2, 2}}, Touch::kRead), get)) == "T[3] is read before it is written");
  CHECK(ERROR_OF(run(view(a, {{2, 2}}, Touch::kRead), [](ExternCall& call) {
          call.view(0).get({0, 0});
        })) == "the view A[2:4] has 1 dimensions, but is accessed with 2 indices");
  CHECK_THAT(ERROR_OF(run(view(a, {{0, 1}, {0, 1}}, Touch::kRead), nothing)), ContainsSubstring("A has 1 dimensions"));
}

TEST_CASE("an extern that misreads its arguments is told so", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const auto run = [&](const Expr& argument, const Extern& function_called) {
    InterpreterOptions options;
    options.externs["f"] = function_called;
    Tensor x(kInt32, {4});
    interpret(function({a}, evaluate(call_of("f", {argument}))), {&x}, options);
  };
  const Extern integer = [](ExternCall& call) { (void)call.integer(0); };
  const Extern number = [](ExternCall& call) { (void)call.number(0); };
  const Extern text = [](ExternCall& call) { (void)call.text(0); };
  const Extern box = [](ExternCall& call) { (void)call.view(0); };
  run(true, integer);
  CHECK(ERROR_OF(run(1.0F, integer)) == "argument 0 of f is used as an integer, which it is not");
  CHECK(ERROR_OF(run(1, number)) == "argument 0 of f is used as a float, which it is not");
  CHECK(ERROR_OF(run(1, text)) == "argument 0 of f is used as text, which it is not");
  CHECK(ERROR_OF(run(make_string("s"), box)) == "argument 0 of f is used as a view, which it is not");
  CHECK(ERROR_OF(run(1, [](ExternCall& call) { (void)call.integer(1); })) ==
        "f is called with 1 arguments, but uses argument 1");
}

TEST_CASE("what externs touch is checked for races", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  const Var t("t");
  Tensor x(kInt32, {4});
  InterpreterOptions options;
  options.externs["set"] = [](ExternCall& call) { call.view(0).set({0}, {.i = 1}); };
  options.externs["get"] = [](ExternCall& call) { (void)call.view(0).get({0}); };
  const Expr set = call_of("set", {view(a, {{floor_div(t, 2), 1}}, Touch::kWrite)});
  const Expr get = call_of("get", {view(a, {{0, 1}}, Touch::kRead)});
  const auto run = [&](const Stmt& body) {
    interpret(function({a}, bound_loop("threadIdx.x", t, 4, body)), {&x}, options);
  };
  CHECK_THAT(ERROR_OF(run(evaluate(set))), ContainsSubstring("A[0] is written by thread (threadIdx.x 0) and written"));
  CHECK_THAT(ERROR_OF(run(make_stmt(If(t == 0, evaluate(set), evaluate(get))))),
             ContainsSubstring("A[0] is written by thread (threadIdx.x 0) and read by thread (threadIdx.x 1)"));
  run(make_stmt(If(t == 0, evaluate(set), {})));
}

TEST_CASE("texts and views are no values", "[unit]") {
  const Buffer a = make_buffer("A", {4}, kInt32);
  Tensor x(kInt32, {4});
  const Expr malformed = call_of("exp", {make_string("one")}, kFloat32);
  CHECK(ERROR_OF(value_of(malformed)) == "\"one\" is no value; only an argument of a call may be one");
  CHECK(ERROR_OF(value_of(call_of("exp", {}, kFloat32))) == "exp takes 1 arguments, got 0");
}

}  // namespace vantage::test::compiler_ir_interpreter_call_test
