#include "base/tensor/tensor.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"

#include <limits>

#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "tests/catch.h"

namespace vantage::test::base_tensor_tensor_test {

using namespace vantage;

TEST_CASE("elements lie in their type's bytes", "[unit]") {
  Tensor four(kInt4, {3});
  four.set_integer(0, -8);
  four.set_integer(1, 7);
  four.set_integer(2, 9);  // wraps
  CHECK(four.bytes()[0] == std::byte{0xf8});
  CHECK(four.bytes()[1] == std::byte{0x07});
  CHECK(four.bytes()[2] == std::byte{0xf9});
  const auto values = four.values<int8_t>();
  CHECK(std::vector<int8_t>(values.begin(), values.end()) == std::vector<int8_t>{-8, 7, -7});

  Tensor half(kFloat16, {1});
  half.set_number(0, 1.5);
  CHECK(half.bytes().size() == 2);
  CHECK(half.bytes()[1] == std::byte{0x3e});
  CHECK(half.number(0) == 1.5);

  Tensor flags(kBool, {2});
  flags.set_integer(1, 5);
  CHECK(flags.bytes()[1] == std::byte{1});
  CHECK(Tensor(DType::integer(12), {5}).bytes().size() == 10);
  CHECK(Tensor(DType::integer(33), {5}).bytes().size() == 40);
}

TEST_CASE("elements are numbered in row-major order whatever the strides", "[unit]") {
  Tensor a(kInt32, {2, 3}, {1, 2});
  for (int64_t e = 0; e < a.size(); ++e) a.set_integer(e, e);
  CHECK(a.element({1, 2}) == 5);
  CHECK(a.at({1, 0}) == 3);
  CHECK(a.bytes()[4] == std::byte{3});
  CHECK_THROWS_AS(a.element({2, 0}), InternalError);
  CHECK_THROWS_AS(a.get(6), InternalError);
}

TEST_CASE("random contents are of the type, in the range and the same every time", "[unit]") {
  for (DType type : {kInt4, kInt8, kInt32, kInt64, kBool, kFloat16, kBFloat16, kFloat32, kFloat64}) {
    std::mt19937_64 one(3), other(3);
    Tensor a(type, {500}), b(type, {500});
    fill(a, one);
    fill(b, other);
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
  Tensor whole(kFloat32, {500});
  fill(whole, random, -2, 3);
  std::vector<int> seen(6);
  for (int64_t e = 0; e < whole.size(); ++e) {
    REQUIRE(whole.number(e) == std::floor(whole.number(e)));
    ++seen.at(static_cast<size_t>(whole.integer(e) + 2));
  }
  for (int count : seen) CHECK(count > 40);
  // A value of random_tensor has at most 32 bits.
  CHECK_NOTHROW(random_tensor(kInt64, {1}, 32, random));
  CHECK_THROWS_AS(random_tensor(kInt64, {1}, 33, random), InternalError);
}

TEST_CASE("a difference says where it begins and how far it goes", "[unit]") {
  Tensor a(kFloat32, {2, 3}), b(kFloat32, {2, 3}, {4, 1});
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
    Tensor x(kFloat16, {1}), y(kFloat16, {1});
    x.set_number(0, value);
    CHECK(difference(x, y, {.relative = 1, .absolute = 1}));
    CHECK(difference(y, x, {.relative = 1, .absolute = 1}));
    y.set_number(0, value);
    CHECK_FALSE(difference(x, y));
  }
  Tensor zero(kFloat32, {1}), minus_zero(kFloat32, {1});
  minus_zero.set_number(0, -0.0);
  CHECK_FALSE(difference(zero, minus_zero));
  CHECK(difference(Tensor(kInt8, {2}), Tensor(kInt16, {2})) == "expected int8[2], got int16[2]");
  CHECK(difference(Tensor(kInt8, {2}), Tensor(kInt8, {2, 1})) == "expected int8[2], got int8[2, 1]");

  // One double, but two integers.
  Tensor large(kInt64, {1}), larger(kInt64, {1});
  large.set_integer(0, (int64_t{1} << 60));
  larger.set_integer(0, (int64_t{1} << 60) + 1);
  CHECK(difference(large, larger) ==
        "expected 1152921504606846976 at [0], got 1152921504606846977; 1 of 1 elements differ");
}

namespace {

// 0, 1, 2, ... in row-major order.
Tensor counting(DType dtype, Tensor::Shape shape) {
  Tensor tensor(dtype, std::move(shape));
  for (int64_t e = 0; e < tensor.size(); ++e) tensor.set_integer(e, e);
  return tensor;
}

}  // namespace

TEST_CASE("owned memory is aligned, zero and copied", "[unit]") {
  for (const int64_t size : {0, 1, 7, 1000}) {
    Tensor a(kFloat32, {size, 3});
    CHECK(reinterpret_cast<uintptr_t>(a.bytes().data()) % kTensorAlignment == 0);
    CHECK(a.bytes().size() == static_cast<size_t>(size) * 12);
    CHECK(a.owns_memory());
    for (const float value : a.values<float>()) REQUIRE(value == 0);
  }
  Tensor a = counting(kInt16, {2, 2}), b = a;
  b.set_integer(0, 9);
  CHECK(a.integer(0) == 0);
  a = b;
  CHECK(a == b);
  b = std::move(a);
  CHECK(b.integer(0) == 9);
  const Tensor& self = b;
  b = self;
  CHECK(b.integer(3) == 3);
  CHECK(Tensor().size() == 0);
  CHECK(ERROR_OF(Tensor(kInt32, {int64_t{1} << 40, int64_t{1} << 40})) ==
        "a tensor of the shape [1099511627776, 1099511627776] is larger than any memory");
  CHECK_THAT(ERROR_OF(Tensor(kInt8, {3, 3}, {int64_t{1} << 62, int64_t{1} << 62})),
             ContainsSubstring("larger than any"));
}

TEST_CASE("typed values are given of dense tensors of that type alone", "[unit]") {
  Tensor a(kInt8, {2, 3}), turned(kInt8, {2, 3}, {1, 2});
  a.values<int8_t>()[4] = -5;
  CHECK(a.at({1, 1}) == -5);
  CHECK_THROWS_AS(a.values<int16_t>(), InternalError);
  CHECK_THROWS_AS(a.values<uint8_t>(), InternalError);
  CHECK_THROWS_AS(turned.values<int8_t>(), InternalError);
  CHECK(Tensor(kInt4, {2}).values<int8_t>().size() == 2);
  CHECK(Tensor(DType::integer(12), {2}).values<int16_t>().size() == 2);
  CHECK(Tensor(kBool, {2}).values<uint8_t>().size() == 2);
  CHECK(Tensor(kFloat16, {2}).values<uint16_t>().size() == 2);
  CHECK(Tensor(kBFloat16, {2}).values<uint16_t>().size() == 2);
  CHECK_THROWS_AS(Tensor(kFloat16, {2}).values<int16_t>(), InternalError);
  CHECK_THROWS_AS(Tensor(kFloat64, {2}).values<float>(), InternalError);
  // The stride of a single element does not matter.
  CHECK(Tensor(kInt8, {1, 3}, {100, 1}).is_dense());
  CHECK(visit_integers(counting(kInt32, {3}), [](const auto& values) { return sizeof(values[0]); }) == 4);
}

TEST_CASE("memory of someone else is used as it lies", "[unit]") {
  std::vector<float> memory = {1, 2, 3, 4, 5, 6};
  Tensor columns = Tensor::borrow(kFloat32, {2, 3}, std::as_writable_bytes(std::span(memory)), {1, 2});
  CHECK_FALSE(columns.owns_memory());
  CHECK(columns.at({0, 1}) == 3);
  columns.set_number(columns.element({1, 2}), 7);
  CHECK(memory[5] == 7);
  const Tensor copy = columns;
  CHECK(copy.owns_memory());
  CHECK(copy == columns);
  CHECK_THROWS_AS(Tensor::borrow(kFloat64, {6}, std::as_writable_bytes(std::span(memory))), InternalError);

  DLTensor dl = columns.dl();
  CHECK(dl.data == memory.data());
  CHECK(dl.ndim == 2);
  CHECK(dl.strides[1] == 2);
  CHECK(Tensor::borrow(dl) == columns);
  dl.strides = nullptr;
  dl.byte_offset = 4;
  dl.ndim = 1;
  CHECK(Tensor::borrow(dl).at({0}) == 2);
  dl.device.device_type = kDLCUDA;
  CHECK_THAT(ERROR_OF(Tensor::borrow(dl)), ContainsSubstring("expected the host's"));
  dl = columns.dl();
  int64_t backwards[] = {-1, 2};
  dl.strides = backwards;
  CHECK_THAT(ERROR_OF(Tensor::borrow(dl)), ContainsSubstring("expected none below 0"));
}

TEST_CASE("shapes, axes, rows and types are changed in copies", "[unit]") {
  const Tensor a = counting(kInt32, {2, 3, 4});
  const Tensor turned = a.permuted({2, 0, 1});
  CHECK(turned.shape() == Tensor::Shape{4, 2, 3});
  for (int64_t e = 0; e < turned.size(); ++e) {
    const auto i = turned.index_of(e);
    REQUIRE(turned.integer(e) == a.at({i[1], i[2], i[0]}));
  }
  CHECK(turned.permuted({1, 2, 0}) == a);
  CHECK(a.rows(1, 1).values<int32_t>()[0] == 12);
  CHECK(a.rows(2, 0).size() == 0);
  CHECK_THROWS_AS(a.rows(1, 2), InternalError);
  CHECK(a.reshaped({6, 4}).at({3, 0}) == 12);
  CHECK_THROWS_AS(a.reshaped({5, 5}), InternalError);
  Tensor gone = a;
  const std::byte* memory = gone.bytes().data();
  CHECK(std::move(gone).reshaped({24}).bytes().data() == memory);
  // Of strided tensors, element by element.
  Tensor strided(kInt32, {2, 2}, {1, 3});
  strided.set_integer(1, 5);
  CHECK(strided.reshaped({4}).values<int32_t>()[1] == 5);
  CHECK(strided.rows(0, 1).values<int32_t>()[1] == 5);
  CHECK(strided == strided.reshaped({2, 2}));

  Tensor wide(kInt32, {3});
  for (const auto& [e, value] : {std::pair{0, 300}, {1, -1}, {2, 127}}) wide.set_integer(e, value);
  const Tensor bytes = wide.converted(kInt8), four = wide.converted(kInt4), floats = wide.converted(kFloat32);
  CHECK(bytes.values<int8_t>()[0] == 44);
  CHECK(bytes.values<int8_t>()[1] == -1);
  CHECK(four.integer(2) == -1);
  CHECK(floats.values<float>()[0] == 300);
  CHECK(floats.converted(kInt8).integer(0) == 127);
  CHECK(wide.converted(kBool).integer(0) == 1);
}

TEST_CASE("random operands use an eighth of their range", "[unit]") {
  std::mt19937_64 one(1), other(1);
  const Tensor a = random_tensor(kInt8, {100}, 8, one), b = random_tensor(kInt32, {100}, 8, other);
  CHECK(a.converted(kInt32) == b);
  for (const int8_t value : a.values<int8_t>()) REQUIRE(std::abs(value) <= 16);
  CHECK_THROWS_AS(random_tensor(kInt8, {1}, 9, one), InternalError);
}

}  // namespace vantage::test::base_tensor_tensor_test
