#include "compiler/ir/interpreter/array.h"

#include <limits>

#include "tests/catch.h"
#include "tests/compiler/ir/interpreter_support.h"

using namespace vantage;
using namespace vantage::ir;

TEST_CASE("elements lie in their type's bytes", "[unit]") {
  Array four(kInt4, {3});
  four.set_integer(0, -8);
  four.set_integer(1, 7);
  four.set_integer(2, 9);  // wraps
  CHECK(four.bytes()[0] == std::byte{0xf8});
  CHECK(four.bytes()[1] == std::byte{0x07});
  CHECK(four.bytes()[2] == std::byte{0xf9});
  CHECK(test::integers(four) == std::vector<int64_t>{-8, 7, -7});

  Array half(kFloat16, {1});
  half.set_number(0, 1.5);
  CHECK(half.bytes().size() == 2);
  CHECK(half.bytes()[1] == std::byte{0x3e});
  CHECK(half.number(0) == 1.5);

  Array flags(kBool, {2});
  flags.set_integer(1, 5);
  CHECK(flags.bytes()[1] == std::byte{1});
  CHECK(Array(DType::integer(12), {5}).bytes().size() == 10);
  CHECK(Array(DType::integer(33), {5}).bytes().size() == 40);
}

TEST_CASE("elements are numbered in row-major order whatever the strides", "[unit]") {
  Array a(kInt32, {2, 3}, {1, 2});
  for (int64_t e = 0; e < a.size(); ++e) a.set_integer(e, e);
  CHECK(a.element({1, 2}) == 5);
  CHECK(a.at({1, 0}) == 3);
  CHECK(a.bytes()[4] == std::byte{3});
  CHECK_THROWS_AS(a.element({2, 0}), InternalError);
  CHECK_THROWS_AS(a.get(6), InternalError);
}

TEST_CASE("random contents are of the type, in the range and the same every time", "[unit]") {
  for (DType type : {kInt4, kInt8, kInt32, kInt64, kBool, kFloat16, kFloat32, kFloat64}) {
    std::mt19937_64 one(3), other(3);
    Array a(type, {500}), b(type, {500});
    a.fill(one);
    b.fill(other);
    CHECK_FALSE(difference(a, b));
    double low = 0, high = 0;
    for (int64_t e = 0; e < a.size(); ++e) {
      low = std::min(low, a.number(e));
      high = std::max(high, a.number(e));
    }
    const double end = type.is_float() || type.is_bool() ? 1 : static_cast<double>(type.max_int());
    CHECK(high > end * 0.8);
    CHECK(high <= end);
    CHECK(low >= -end - 1);
    if (!type.is_bool()) CHECK(low < -end * 0.8);
  }
  std::mt19937_64 random(4);
  Array whole(kFloat32, {500});
  whole.fill(random, -2, 3);
  std::vector<int> seen(6);
  for (int64_t e = 0; e < whole.size(); ++e) {
    REQUIRE(whole.number(e) == std::floor(whole.number(e)));
    ++seen.at(static_cast<size_t>(whole.integer(e) + 2));
  }
  for (int count : seen) CHECK(count > 40);
}

TEST_CASE("a difference says where it begins and how far it goes", "[unit]") {
  Array a(kFloat32, {2, 3}), b(kFloat32, {2, 3}, {4, 1});
  CHECK_FALSE(difference(a, b));
  b.set_number(4, 0.5);
  b.set_number(5, -0.5);
  CHECK(difference(a, b) == "expected 0 at [1, 1], got 0.5; 2 of 6 elements differ");
  CHECK_FALSE(difference(a, b, {.absolute = 0.5}));
  CHECK(difference(a, b, {.absolute = 0.49}));
  CHECK(difference(a, b, {.relative = 10}));
  a.set_number(4, 1);
  a.set_number(5, -1);
  CHECK_FALSE(difference(a, b, {.relative = 0.5}));

  const double infinity = std::numeric_limits<double>::infinity();
  for (double value : {std::nan(""), infinity, -infinity}) {
    Array x(kFloat16, {1}), y(kFloat16, {1});
    x.set_number(0, value);
    CHECK(difference(x, y, {.relative = 1, .absolute = 1}));
    CHECK(difference(y, x, {.relative = 1, .absolute = 1}));
    y.set_number(0, value);
    CHECK_FALSE(difference(x, y));
  }
  Array zero(kFloat32, {1}), minus_zero(kFloat32, {1});
  minus_zero.set_number(0, -0.0);
  CHECK_FALSE(difference(zero, minus_zero));
  CHECK(difference(Array(kInt8, {2}), Array(kInt16, {2})) == "expected int8[2], got int16[2]");
  CHECK(difference(Array(kInt8, {2}), Array(kInt8, {2, 1})) == "expected int8[2], got int8[2, 1]");

  // One double, but two integers.
  Array large(kInt64, {1}), larger(kInt64, {1});
  large.set_integer(0, (int64_t{1} << 60));
  larger.set_integer(0, (int64_t{1} << 60) + 1);
  CHECK(difference(large, larger) ==
        "expected 1152921504606846976 at [0], got 1152921504606846977; 1 of 1 elements differ");
}
