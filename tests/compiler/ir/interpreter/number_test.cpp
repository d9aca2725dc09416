// What expressions evaluate to where that can be said case by case.
#include <cmath>

#include "base/tensor/dtype.h"
#include "tests/catch.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test::compiler_ir_interpreter_number_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

// x op y, computed when it runs.
Scalar apply(BinaryOp op, DType type, const Argument& x, const Argument& y) {
  const Var a("x", type), b("y", type);
  const Expr result = make_binary(op, a, b);
  const Buffer out = make_buffer("out", {1}, result.dtype());
  Tensor value(result.dtype(), {1});
  interpret(function({a, b, out}, store(out, {0}, result)), {x, y, &value});
  return value.get(0);
}

Scalar convert_when_run(DType from, DType to, const Argument& x) {
  const Var a("x", from);
  const Buffer out = make_buffer("out", {1}, to);
  Tensor value(to, {1});
  interpret(function({a, out}, store(out, {0}, cast(to, a))), {x, &value});
  return value.get(0);
}

}  // namespace

TEST_CASE("integers wrap at their type, floats round to theirs", "[unit]") {
  using enum BinaryOp;
  CHECK(apply(kAdd, kInt8, 127, 1).i == -128);
  CHECK(apply(kMul, kInt4, 7, 7).i == 1);
  CHECK(apply(kSub, kInt32, INT32_MIN, 1).i == INT32_MAX);
  CHECK(apply(kMul, kInt64, INT64_MAX, 2).i == -2);
  CHECK(apply(kFloorDiv, kInt8, -128, -1).i == -128);
  CHECK(apply(kFloorDiv, kInt32, -7, 2).i == -4);
  CHECK(apply(kTruncDiv, kInt32, -7, 2).i == -3);
  CHECK(apply(kFloorMod, kInt32, -7, 2).i == 1);
  CHECK(apply(kTruncMod, kInt32, -7, 2).i == -1);
  CHECK(apply(kShl, kInt8, 3, 6).i == -64);
  CHECK(apply(kShr, kInt8, -128, 100).i == -1);
  CHECK(apply(kAdd, kFloat16, 2048.0, 1.0).f == 2048);
  CHECK(apply(kAdd, kBFloat16, 256.0, 1.0).f == 256);
  CHECK(apply(kMul, kBFloat16, 300.0, 300.0).f == 90112);
  CHECK(apply(kAdd, kFloat32, 16777216.0, 1.0).f == 16777216);
  CHECK(apply(kAdd, kFloat64, 16777216.0, 1.0).f == 16777217);
  CHECK(apply(kMul, kFloat16, 300.0, 300.0).f == INFINITY);
  CHECK(apply(kDiv, kFloat32, 1.0, 3.0).f == static_cast<double>(1.0F / 3.0F));
  CHECK(std::isnan(apply(kMax, kFloat32, std::nan(""), 1.0).f));
  CHECK(apply(kLt, kFloat32, 1.0, 2.0).i == 1);
  CHECK(apply(kEq, kBool, 1, 0).i == 0);
}

TEST_CASE("a division by zero is told with its expression", "[unit]") {
  using enum BinaryOp;
  CHECK(ERROR_OF(apply(kFloorDiv, kInt32, 1, 0)) == "division by zero in 'x // y'");
  CHECK(ERROR_OF(apply(kFloorMod, kInt32, 1, 0)) == "division by zero in 'x % y'");
  CHECK(ERROR_OF(apply(kTruncDiv, kInt32, 1, 0)) == "division by zero in 'T.truncdiv(x, y)'");
  CHECK(ERROR_OF(apply(kTruncMod, kInt32, 1, 0)) == "division by zero in 'T.truncmod(x, y)'");
  CHECK(apply(kDiv, kFloat32, 1.0, 0.0).f == INFINITY);
}

TEST_CASE("what does not decide is not evaluated", "[unit]") {
  const Buffer a = make_buffer("A", {6}, kInt32);
  const Var i("i");
  Tensor x = array_of(kInt32, {5, 6, 7, 8, 9, 10});
  const auto run = [&](const Expr& value) {
    interpret(function({a}, loop(i, 6, store(a, {i}, value))), {&x});
    return integers(x);
  };
  // Neither A[-1] nor A[6] is read, nothing is divided by 0.
  CHECK(run(if_then_else(i == 0, 0, load(a, {i - 1})) + 1) == std::vector<int64_t>{1, 2, 3, 4, 5, 6});
  CHECK(run(if_then_else(i < 5 && load(a, {i + 1}) > 3, 1, 0)) == std::vector<int64_t>{0, 0, 1, 1, 1, 0});
  CHECK(run(if_then_else(i == 0 || floor_div(6, i) == 3, 1, 0)) == std::vector<int64_t>{1, 0, 1, 0, 0, 0});
  CHECK(run(if_then_else(!(i < 2), 1, 0)) == std::vector<int64_t>{0, 0, 1, 1, 1, 1});
}

TEST_CASE("casts saturate from floats, wrap from integers, round to floats", "[unit]") {
  CHECK(convert_when_run(kFloat32, kInt8, 1.9).i == 1);
  CHECK(convert_when_run(kFloat32, kInt8, -1.9).i == -1);
  CHECK(convert_when_run(kFloat32, kInt8, 127.5).i == 127);
  CHECK(convert_when_run(kFloat32, kInt8, 128.0).i == 127);
  CHECK(convert_when_run(kFloat32, kInt8, -128.9).i == -128);
  CHECK(convert_when_run(kFloat32, kInt8, -1e30).i == -128);
  CHECK(convert_when_run(kFloat64, kInt64, 1e30).i == INT64_MAX);
  CHECK(convert_when_run(kFloat64, kInt64, 9223372036854775808.0).i == INT64_MAX);
  CHECK(convert_when_run(kFloat64, kInt64, -9223372036854775808.0).i == INT64_MIN);
  CHECK(convert_when_run(kFloat32, kInt32, std::nan("")).i == 0);
  CHECK(convert_when_run(kFloat32, kInt4, INFINITY).i == 7);
  CHECK(convert_when_run(kFloat32, kBool, 0.25).i == 1);
  CHECK(convert_when_run(kFloat32, kBool, -0.0).i == 0);
  CHECK(convert_when_run(kFloat32, kBool, std::nan("")).i == 1);
  CHECK(convert_when_run(kInt32, kInt8, 300).i == 44);
  CHECK(convert_when_run(kInt32, kBool, -3).i == 1);
  CHECK(convert_when_run(kBool, kInt8, 1).i == 1);
  CHECK(convert_when_run(kBool, kFloat32, 1).f == 1);
  CHECK(convert_when_run(kInt32, kFloat16, 2049).f == 2048);
  CHECK(convert_when_run(kInt32, kFloat16, 65520).f == INFINITY);
  CHECK(convert_when_run(kFloat32, kFloat16, 1.0 / 3).f == round_to(kFloat16, 1.0 / 3));
}

TEST_CASE("an integer becomes a float by one rounding, folded or run", "[unit]") {
  // Halfway between two floats once it has been a double, just above before.
  const int64_t above = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  const double expected = std::ldexp(1, 60) + std::ldexp(1, 37);
  CHECK(convert_when_run(kInt64, kFloat32, above).f == expected);
  CHECK(cast(kFloat32, make_int(kInt64, above)).as<FloatImm>()->value == expected);
  // The same of bfloat16, once it has been a double.
  const int64_t middle = (int64_t{1} << 60) + (int64_t{1} << 52);
  CHECK(convert_when_run(kInt64, kBFloat16, middle).f == std::ldexp(1, 60));
  CHECK(convert_when_run(kInt64, kBFloat16, middle + 1).f == std::ldexp(129, 53));
  CHECK(convert_when_run(kInt64, kBFloat16, -middle - 1).f == -std::ldexp(129, 53));
  CHECK(cast(kFloat64, make_int(kInt64, INT64_MAX)).as<FloatImm>()->value == 9223372036854775808.0);
}

}  // namespace vantage::test::compiler_ir_interpreter_number_test
