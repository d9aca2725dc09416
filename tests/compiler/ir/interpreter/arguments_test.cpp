// How arguments become parameters: types, sizes, strides.
#include "tests/catch.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test::compiler_ir_interpreter_arguments_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

// out[i] = x for all of out.
PrimFunc fill_with(const Var& x, const Buffer& out) {
  const Var i("i");
  PrimFunc f = function({x, out}, loop(i, out->shape[0], store(out, {i}, x)));
  f.name = "fill";
  return f;
}

}  // namespace

TEST_CASE("numbers are converted to the parameter's type, or refused", "[unit]") {
  const auto filled = [](DType type, const Argument& value) {
    Tensor out(type, {2});
    interpret(fill_with(Var("x", type), make_buffer("out", {2}, type)), {value, &out});
    return out.number(1);
  };
  CHECK(filled(kInt8, -128) == -128);
  CHECK(filled(kBool, 1) == 1);
  CHECK(filled(kFloat32, 3) == 3);
  CHECK(filled(kFloat32, 0.1) == static_cast<double>(0.1F));
  CHECK(filled(kFloat64, 0.1) == 0.1);
  CHECK(ERROR_OF(filled(kInt8, 128)) == "the parameter x of fill is int8, got the integer 128");
  CHECK(ERROR_OF(filled(kBool, 2)) == "the parameter x of fill is bool, got the integer 2");
  CHECK(ERROR_OF(filled(kInt32, 1.5)) == "the parameter x of fill is int32, got the number 1.5");
  Tensor array(kInt32, {2, 3});
  CHECK(ERROR_OF(filled(kInt32, &array)) == "the parameter x of fill is int32, got an array int32[2, 3]");
}

TEST_CASE("arrays must have the parameter's type, rank and sizes", "[unit]") {
  const PrimFunc f = fill_with(Var("x"), make_buffer("out", {2}, kInt32));
  Tensor good(kInt32, {2}), type(kInt64, {2}), rank(kInt32, {2, 1}), size(kInt32, {3});
  interpret(f, {7, &good});
  CHECK(integers(good) == std::vector<int64_t>{7, 7});
  CHECK(ERROR_OF(interpret(f, {7})) == "the number of arguments of fill is 1, expected 2");
  CHECK(ERROR_OF(interpret(f, {7, 7})) == "the parameter out of fill is int32[2], got the integer 7");
  CHECK(ERROR_OF(interpret(f, {7, &type})) == "the parameter out of fill is int32[2], got an array int64[2]");
  CHECK(ERROR_OF(interpret(f, {7, &rank})) == "the parameter out of fill is int32[2], got an array int32[2, 1]");
  CHECK(ERROR_OF(interpret(f, {7, &size})) ==
        "dimension 0 of the parameter out of fill is '2' = 2, got an array int32[3]");
}

TEST_CASE("variables in shapes get their values from the arrays", "[unit]") {
  const Var n("n"), m("m", kInt64), i("i"), j("j", kInt64);
  const Buffer a = make_buffer("A", {n * 2, m}, kInt32);
  const Buffer b = make_buffer("B", {m, n}, kInt32);
  const Stmt body = loop(i, n * 2, loop(j, m, store(a, {i, j}, n * 100 + cast(kInt32, m))));
  const PrimFunc f = function({a, b}, body);
  Tensor x(kInt32, {6, 2}), y(kInt32, {2, 3});
  interpret(f, {&x, &y});
  CHECK(integers(x) == std::vector<int64_t>(12, 302));

  Tensor odd(kInt32, {5, 2}), wide(kInt32, {6, 4});
  CHECK(ERROR_OF(interpret(f, {&odd, &y})) ==
        "dimension 0 of the parameter A of main is 'n * 2' = 6, got an array int32[5, 2]");
  CHECK(ERROR_OF(interpret(f, {&wide, &y})) ==
        "dimension 0 of the parameter B of main is 'm' = 4, got an array int32[2, 3]");

  // A parameter of that name decides, wherever it stands.
  const PrimFunc given = function({b, n}, loop(i, n, store(b, {make_int(kInt64, 0), i}, n)));
  interpret(given, {&y, 3});
  CHECK(integers(y) == std::vector<int64_t>{3, 3, 3, 0, 0, 0});
  CHECK(ERROR_OF(interpret(given, {&y, 2})) ==
        "dimension 1 of the parameter B of main is 'n' = 2, got an array int32[2, 3]");

  CHECK(ERROR_OF(interpret(function({a}, {}), {&x})) ==
        "'n * 2', a size or stride of A, has a variable without a value; make it a parameter, or a size of its own of "
        "a parameter");
  const Var small("small", kInt8);
  const PrimFunc narrow = function({make_buffer("C", {small}, kInt8)}, {});
  Tensor large(kInt8, {128});
  CHECK(ERROR_OF(interpret(narrow, {&large})) ==
        "C gives the variable small of type int8 the value 128, which that does not hold");
}

TEST_CASE("strides place elements, and gaps stay as they were", "[unit]") {
  const Var i("i"), j("j"), s("s");
  const Buffer a = make_buffer("A", {2, 3}, kInt16, "global", {s, 1});
  const PrimFunc f = function({a}, loop(i, 2, loop(j, 3, store(a, {i, j}, cast(kInt16, i * 10 + j + s * 100)))));
  Tensor x(kInt16, {2, 3}, {5, 1});
  REQUIRE(x.bytes().size() == 16);
  std::fill(x.bytes().begin(), x.bytes().end(), std::byte{0x11});
  interpret(f, {&x});
  CHECK(integers(x) == std::vector<int64_t>{500, 501, 502, 510, 511, 512});
  CHECK(x.bytes()[6] == std::byte{0x11});
  CHECK(x.bytes()[9] == std::byte{0x11});
  CHECK(x.bytes()[10] != std::byte{0x11});

  // Columns first.
  const Buffer b = make_buffer("B", {2, 3}, kInt16, "global", {1, 2});
  const PrimFunc g = function({b}, loop(i, 2, loop(j, 3, store(b, {i, j}, cast(kInt16, i * 10 + j)))));
  Tensor y(kInt16, {2, 3}, {1, 2}), dense(kInt16, {2, 3});
  interpret(g, {&y});
  CHECK(integers(y) == std::vector<int64_t>{0, 1, 2, 10, 11, 12});
  CHECK(y.bytes()[2] == std::byte{10});
  CHECK(ERROR_OF(interpret(g, {&dense})) ==
        "the stride in dimension 0 of the parameter B of main is 1, got an array with strides [3, 1]");
  const Buffer c = make_buffer("C", {2, 3}, kInt16);
  CHECK(ERROR_OF(interpret(function({c}, {}), {&x})) ==
        "the stride in dimension 0 of the parameter C of main is 3, got an array with strides [5, 1]");
  // Of a single row, the distance to the next does not matter.
  const Buffer row = make_buffer("R", {1, 3}, kInt16);
  Tensor padded(kInt16, {1, 3}, {5, 1});
  interpret(function({row}, loop(j, 3, store(row, {0, j}, cast(kInt16, j)))), {&padded});
  CHECK(integers(padded) == std::vector<int64_t>{0, 1, 2});
  const Buffer negative = make_buffer("N", {2, 3}, kInt16, "global", {s - 9, 1});
  CHECK(ERROR_OF(interpret(function({s, negative}, {}), {1, &dense})) ==
        "the stride 's - 9' of N is -8, expected at least 0");
}

TEST_CASE("a tensor without dimensions has one element, one with a size of 0 none", "[unit]") {
  const Buffer a = make_buffer("A", {}, kFloat32);
  Tensor x(kFloat32, {});
  interpret(function({a}, store(a, {}, load(a, {}) + 2.5F)), {&x});
  CHECK(x.at({}) == 2.5);
  const Var n("n"), i("i");
  const Buffer b = make_buffer("B", {n}, kFloat32);
  Tensor none(kFloat32, {0});
  interpret(function({b}, loop(i, n, store(b, {i}, 1.0F))), {&none});
  CHECK(none.size() == 0);
}

TEST_CASE("what is defined nowhere is refused before anything runs", "[unit]") {
  const Var x("x"), i("i");
  const Buffer a = make_buffer("A", {2}, kInt32);
  const Buffer b = make_buffer("B", {2}, kInt32);
  Tensor array = array_of(kInt32, {1, 2});
  CHECK(ERROR_OF(interpret(function({a}, seq({store(a, {0}, 5), store(a, {1}, x)})), {&array})) ==
        "the variable x is used where nothing gives it a value");
  CHECK(ERROR_OF(interpret(function({a}, seq({loop(i, 2, store(a, {i}, i)), store(a, {1}, i)})), {&array})) ==
        "the variable i is used where nothing gives it a value");
  CHECK(ERROR_OF(interpret(function({a}, store(b, {0}, 5)), {&array})) ==
        "the buffer B is used where it is neither a parameter nor allocated");
  CHECK(integers(array) == std::vector<int64_t>{1, 2});
}

}  // namespace vantage::test::compiler_ir_interpreter_arguments_test
