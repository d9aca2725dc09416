// An intrinsic is what it says, or is refused.
#include "compiler/schedule/tensor_intrinsic.h"

#include "tests/catch.h"

namespace vantage::test::compiler_schedule_tensor_intrinsic_test {

using namespace vantage;
using namespace vantage::ir;
using schedule::TensorIntrinsic;

namespace {

struct Buffers {
  explicit Buffers(int64_t size = 4)
      : a(make_buffer("A", {size}, kInt32)), b(make_buffer("B", {size}, kInt32)), c(make_buffer("C", {size}, kInt32)) {}
  Buffer a, b, c;
};

// C = A + B over four elements.
PrimFunc description() {
  const Buffers x;
  const Var i("i"), vi("vi");
  Block block;
  block.name = "add4";
  block.axes = {{vi, {0, 4}, AxisKind::kSpatial}};
  block.bindings = {i};
  block.body = store(x.c, {vi}, load(x.a, {vi}) + load(x.b, {vi}));
  PrimFunc function;
  function.name = "add4_description";
  function.params = {x.a, x.b, x.c};
  function.body = loop(i, 4, make_stmt(std::move(block)));
  return function;
}

// dev.add4(A, B, C)
PrimFunc implementation(const Buffers& x, bool with_b = true) {
  const auto whole = [](const Buffer& buffer, Touch touch) {
    return Expr(std::make_shared<View>(buffer, std::vector<Range>{{0, buffer->shape[0]}}, touch));
  };
  PrimFunc function;
  function.name = "dev.add4";
  function.params = with_b ? std::vector<Param>{x.a, x.b, x.c} : std::vector<Param>{x.a, x.c};
  std::vector<Expr> arguments = {whole(x.a, Touch::kRead), whole(with_b ? x.b : x.a, Touch::kRead),
                                 whole(x.c, Touch::kWrite)};
  function.body = evaluate(Expr(std::make_shared<Call>(kVoid, "dev.add4", std::move(arguments))));
  return function;
}

schedule::Externs device(int64_t sign, int64_t count = 4) {
  schedule::Externs externs;
  externs["dev.add4"] = [=](ExternCall& call) {
    for (int64_t i = 0; i < count; ++i) {
      call.view(2).set({i}, {.i = call.view(0).get({i}).i + sign * call.view(1).get({i}).i});
    }
  };
  return externs;
}

}  // namespace

TEST_CASE("an intrinsic computes its description", "[unit]") {
  const Buffers x;
  CHECK(TensorIntrinsic(description(), implementation(x), device(1)).name() == "dev.add4");
  CHECK_THAT(ERROR_OF(TensorIntrinsic(description(), implementation(x), device(-1))),
             ContainsSubstring("the intrinsic dev.add4 does not compute its description: in C, expected "));
  CHECK_THAT(ERROR_OF(TensorIntrinsic(description(), implementation(x), device(1, 3))),
             ContainsSubstring("the intrinsic dev.add4 does not compute its description: in C, expected "));
  CHECK(ERROR_OF(TensorIntrinsic(description(), implementation(Buffers(8)), device(1))) ==
        "the intrinsic dev.add4 has the parameter A, which is not like A of its description");
  CHECK(ERROR_OF(TensorIntrinsic(description(), implementation(x, false), device(1))) ==
        "the intrinsic dev.add4 needs the same buffers as its description, and nothing else");
  CHECK_THAT(ERROR_OF(TensorIntrinsic(description(), implementation(x), {})), ContainsSubstring("dev.add4"));
}

}  // namespace vantage::test::compiler_schedule_tensor_intrinsic_test
