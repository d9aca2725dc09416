#include "base/tensor/dtype.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "tests/catch.h"

namespace vantage::test::base_tensor_dtype_test {

using namespace vantage;

namespace {

// Every finite binary16 value that is not negative, by its pattern: 0x0000 to 0x7bff, in ascending order.
std::vector<double> halves() {
  std::vector<double> result;
  for (int pattern = 0; pattern < 0x7c00; ++pattern) {
    const int exponent = pattern / 1024, fraction = pattern % 1024;
    result.push_back(exponent == 0 ? fraction * std::pow(2.0, -24)
                                   : (1.0 + fraction / 1024.0) * std::pow(2.0, exponent - 15));
  }
  return result;
}

// The pattern nearest to a value that is not negative, by search among the neighbours; ties to the even pattern.
uint16_t nearest(const std::vector<double>& all, double value) {
  const auto above = std::lower_bound(all.begin(), all.end(), value);
  if (above == all.end()) {
    // Between the largest value and the first that is none, 65536, infinity begins in the middle.
    return value - all.back() < 65536.0 - value ? 0x7bff : 0x7c00;
  }
  const auto pattern = static_cast<uint16_t>(above - all.begin());
  if (*above == value || pattern == 0) return pattern;
  const double up = *above - value, down = value - all[pattern - 1u];
  if (up == down) return pattern % 2 == 0 ? pattern : static_cast<uint16_t>(pattern - 1);
  return up < down ? pattern : static_cast<uint16_t>(pattern - 1);
}

}  // namespace

TEST_CASE("every type has a name that is read back", "[unit]") {
  for (int bits = 1; bits <= 64; ++bits) {
    const DType dtype = DType::integer(bits);
    CHECK(name(dtype) == "int" + std::to_string(bits));
    CHECK(DType::parse(name(dtype)) == dtype);
  }
  for (const DType dtype : {kUInt8, kUInt16, kUInt32, kFloat16, kFloat32, kFloat64, kBool}) {
    CHECK(DType::parse(name(dtype)) == dtype);
  }
  CHECK(name(kVoid) == "void");
  for (const char* wrong : {"", "int", "int0", "int65", "int08", "uint4", "float", "float8", "void", "Bool", "int8 "}) {
    CHECK(ERROR_OF(DType::parse(wrong)) ==
          "'" + std::string(wrong) +
              "' is no type; expected int1 to int64, uint8, uint16, uint32, float16, float32, float64 or bool");
  }
}

TEST_CASE("a type knows its size and its values", "[unit]") {
  CHECK(kBool.bytes() == 1);
  CHECK(kInt4.bytes() == 1);
  CHECK(kInt8.bytes() == 1);
  CHECK(DType::integer(9).bytes() == 2);
  CHECK(DType::integer(17).bytes() == 4);
  CHECK(DType::integer(33).bytes() == 8);
  CHECK(kFloat16.bytes() == 2);
  CHECK(kFloat64.bytes() == 8);
  CHECK(DType::integer(1).min_int() == -1);
  CHECK(DType::integer(1).max_int() == 0);
  CHECK(kInt8.min_int() == -128);
  CHECK(kInt8.max_int() == 127);
  CHECK(kInt64.min_int() == std::numeric_limits<int64_t>::min());
  CHECK(kInt64.max_int() == std::numeric_limits<int64_t>::max());
  CHECK(kUInt8.bytes() == 1);
  CHECK(kUInt32.bytes() == 4);
  CHECK(kUInt8.min_int() == 0);
  CHECK(kUInt8.max_int() == 255);
  CHECK(kUInt32.max_int() == 4294967295);
  CHECK(kUInt8.holds(200));
  CHECK_FALSE(kUInt8.holds(-1));
  CHECK(kBool.holds(1));
  CHECK_FALSE(kBool.holds(2));
  CHECK_FALSE(kBool.holds(-1));
  CHECK_FALSE(kInt4.holds(8));
}

TEST_CASE("wrapping keeps the low bits and their sign", "[property]") {
  std::mt19937_64 random(1);
  for (int bits = 1; bits <= 64; ++bits) {
    const DType dtype = DType::integer(bits);
    for (int i = 0; i < 500; ++i) {
      const auto value = static_cast<int64_t>(random() >> (random() % 64));
      const int64_t kept = wrap(dtype, value);
      INFO(name(dtype) << " " << value << " -> " << kept);
      REQUIRE(dtype.holds(kept));
      const uint64_t difference = static_cast<uint64_t>(value) - static_cast<uint64_t>(kept);
      REQUIRE((bits == 64 ? difference == 0 : difference % (uint64_t{1} << bits) == 0));
      if (dtype.holds(value)) REQUIRE(kept == value);
    }
  }
  CHECK(wrap(kBool, 0) == 0);
  CHECK(wrap(kBool, -6) == 1);
}

TEST_CASE("every binary16 pattern is read and written exactly", "[property]") {
  const std::vector<double> all = halves();
  for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto half = static_cast<uint16_t>(pattern);
    const uint16_t magnitude = half & 0x7fff;
    const double value = from_half(half);
    INFO("pattern " << pattern << " is " << value);
    if (magnitude > 0x7c00) {
      REQUIRE(std::isnan(value));
      REQUIRE((to_half(value) & 0x7e00) == 0x7e00);
      continue;
    }
    if (magnitude == 0x7c00) {
      REQUIRE(std::isinf(value));
    } else {
      REQUIRE(std::abs(value) == all[magnitude]);
    }
    REQUIRE(std::signbit(value) == ((half & 0x8000) != 0));
    REQUIRE(to_half(value) == half);
  }
}

TEST_CASE("binary16 is rounded to the nearest, ties to even", "[property]") {
  const std::vector<double> all = halves();
  const auto check = [&](double value) {
    const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const auto expected = static_cast<uint16_t>(sign | nearest(all, std::abs(value)));
    INFO("value " << value << " got " << to_half(value));
    REQUIRE(to_half(value) == expected);
    const double rounded = round_to(kFloat16, value), wanted = from_half(expected);
    REQUIRE(std::bit_cast<uint64_t>(rounded) == std::bit_cast<uint64_t>(wanted));
  };
  // The middles between neighbours, and what lies closest to them.
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    const double middle = (all[i] + all[i + 1]) / 2;
    for (const double value : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e9)}) {
      check(value);
      check(-value);
    }
  }
  for (const double value : {0.0, -0.0, 65504.0, 65519.99, 65520.0, 65520.01, 1e30, 5e-324, 2.0e-8, 3.0e-8})
    check(value);
  CHECK(to_half(std::numeric_limits<double>::infinity()) == 0x7c00);
  CHECK(to_half(-std::numeric_limits<double>::infinity()) == 0xfc00);
  std::mt19937_64 random(2);
  for (int i = 0; i < 50000; ++i) {
    const double fraction = std::ldexp(static_cast<double>(random() >> 11), -53);
    check(std::ldexp(1.0 + fraction, static_cast<int>(random() % 50) - 30) * (random() % 2 == 0 ? 1 : -1));
  }
  for (int i = 0; i < 50000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isnan(value)) check(value);
  }
}

TEST_CASE("the other float types round as the processor does", "[unit]") {
  CHECK(round_to(kFloat32, 0.1) == static_cast<double>(0.1f));
  CHECK(round_to(kFloat64, 0.1) == 0.1);
  CHECK(std::isinf(round_to(kFloat32, 1e300)));
  CHECK(std::isnan(round_to(kFloat16, std::nan(""))));
}

TEST_CASE("types are DLPack's and back", "[unit]") {
  for (const DType dtype :
       {kBool, kInt4, kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kFloat16, kFloat32, kFloat64}) {
    CHECK(dtype_of(dl_dtype(dtype)) == dtype);
  }
  CHECK(dl_dtype(kFloat16).code == kDLFloat);
  CHECK(dl_dtype(kFloat16).bits == 16);
  for (const DLDataType wrong :
       {DLDataType{kDLUInt, 4, 1}, {kDLUInt, 64, 1}, {kDLInt, 8, 4}, {kDLFloat, 8, 1}, {kDLBfloat, 16, 1}}) {
    CHECK_THAT(ERROR_OF(dtype_of(wrong)),
               ContainsSubstring("expected integers of up to 64 bits, unsigned ones of 8, 16 or 32"));
  }
}

}  // namespace vantage::test::base_tensor_dtype_test
