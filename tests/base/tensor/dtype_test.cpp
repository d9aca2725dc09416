#include "base/tensor/dtype.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "tests/catch.h"
#include "tests/support/generator.h"

namespace vantage::test::base_tensor_dtype_test {

using namespace vantage;

namespace {

// A format of 16 bits: digits behind the point, the bias of its exponent, and what is said of it.
struct Narrow {
  DType dtype;
  int digits, bias;
  uint16_t infinity;
  uint16_t (*to)(double);
  double (*from)(uint16_t);
};
constexpr Narrow kNarrow[] = {{kFloat16, 10, 15, 0x7c00, to_half, from_half},
                              {kBFloat16, 7, 127, 0x7f80, to_bfloat16, from_bfloat16}};

// Every finite value that is not negative, by its pattern: 0x0000 to just below infinity's, in ascending order.
std::vector<double> values_of(const Narrow& format) {
  std::vector<double> result;
  const int whole = 1 << format.digits;
  for (int pattern = 0; pattern < format.infinity; ++pattern) {
    const int exponent = pattern / whole, fraction = pattern % whole;
    const double of_whole = static_cast<double>(fraction) / whole;
    result.push_back(exponent == 0 ? of_whole * std::pow(2.0, 1 - format.bias)
                                   : (1.0 + of_whole) * std::pow(2.0, exponent - format.bias));
  }
  return result;
}

// The pattern nearest to a value that is not negative, by search among the neighbours; ties to the even pattern.
uint16_t nearest_pattern(const std::vector<double>& all, double value) {
  const auto above = std::lower_bound(all.begin(), all.end(), value);
  if (above == all.end()) {
    // Between the largest value and the first that is none infinity begins in the middle.
    const double step = all.back() - all[all.size() - 2];
    return static_cast<uint16_t>(value - all.back() < step / 2 ? all.size() - 1 : all.size());
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
  for (const DType dtype : {kUInt8, kUInt16, kUInt32, kFloat16, kBFloat16, kFloat32, kFloat64, kBool}) {
    CHECK(DType::parse(name(dtype)) == dtype);
  }
  CHECK(name(kVoid) == "void");
  for (const char* wrong : {"", "int", "int0", "int65", "int08", "uint4", "float", "float8", "bfloat", "bfloat32",
                            "void", "Bool", "int8 "}) {
    CHECK(
        ERROR_OF(DType::parse(wrong)) ==
        "'" + std::string(wrong) +
            "' is no type; expected int1 to int64, uint8, uint16, uint32, float16, bfloat16, float32, float64 or bool");
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
  CHECK(kBFloat16.bytes() == 2);
  CHECK(kFloat64.bytes() == 8);
  CHECK(kBFloat16.is_float());
  CHECK(kBFloat16.is_narrow_float());
  CHECK(kFloat16.is_narrow_float());
  CHECK_FALSE(kFloat32.is_narrow_float());
  CHECK_FALSE(kInt16.is_narrow_float());
  CHECK(kBFloat16 != kFloat16);
  CHECK(DType::integer(1).min_int() == -1);
  CHECK(DType::integer(1).max_int() == 0);
  CHECK(kInt8.min_int() == -128);
  CHECK(kInt8.max_int() == 127);
  CHECK(kInt64.min_int() == std::numeric_limits<int64_t>::min());
  CHECK(kInt64.max_int() == std::numeric_limits<int64_t>::max());
  CHECK(kFloat16.max_float() == 65504);
  CHECK(kBFloat16.max_float() == from_bfloat16(0x7f7f));
  CHECK(kFloat32.max_float() == std::numeric_limits<float>::max());
  CHECK(kFloat64.max_float() == std::numeric_limits<double>::max());
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
  std::mt19937_64 random = test::generator(1);
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

TEST_CASE("every pattern of a float of 16 bits is read and written exactly", "[property]") {
  for (const Narrow& format : kNarrow) {
    const std::vector<double> all = values_of(format);
    const auto quiet = static_cast<uint16_t>(format.infinity | 1 << (format.digits - 1));
    for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
      const auto bits = static_cast<uint16_t>(pattern);
      const uint16_t magnitude = bits & 0x7fff;
      const double value = format.from(bits);
      INFO(name(format.dtype) << " pattern " << pattern << " is " << value);
      if (magnitude > format.infinity) {
        REQUIRE(std::isnan(value));
        REQUIRE((format.to(value) & quiet) == quiet);
        continue;
      }
      if (magnitude == format.infinity) {
        REQUIRE(std::isinf(value));
      } else {
        REQUIRE(std::abs(value) == all[magnitude]);
      }
      REQUIRE(std::signbit(value) == ((bits & 0x8000) != 0));
      REQUIRE(format.to(value) == bits);
    }
  }
}

TEST_CASE("floats of 16 bits are rounded to the nearest, ties to even", "[property]") {
  for (const Narrow& format : kNarrow) {
    const std::vector<double> all = values_of(format);
    const auto check = [&](double value) {
      const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
      const auto expected = static_cast<uint16_t>(sign | nearest_pattern(all, std::abs(value)));
      INFO(name(format.dtype) << " value " << value << " got " << format.to(value));
      REQUIRE(format.to(value) == expected);
      const double rounded = round_to(format.dtype, value), wanted = format.from(expected);
      REQUIRE(std::bit_cast<uint64_t>(rounded) == std::bit_cast<uint64_t>(wanted));
    };
    // The middles between neighbours, and what lies closest to them.
    for (size_t i = 0; i + 1 < all.size(); ++i) {
      const double middle = (all[i] + all[i + 1]) / 2;
      for (const double value : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e300)}) {
        check(value);
        check(-value);
      }
    }
    const double end = all.back() + (all.back() - all[all.size() - 2]) / 2;
    for (const double value : {0.0, -0.0, all.back(), std::nextafter(end, 0.0), end, std::nextafter(end, 1e300), 1e300,
                               5e-324, 2.0e-8, 3.0e-8}) {
      check(value);
    }
    CHECK(format.to(std::numeric_limits<double>::infinity()) == format.infinity);
    CHECK(format.to(-std::numeric_limits<double>::infinity()) == (format.infinity | 0x8000));
    std::mt19937_64 random = test::generator(2);
    for (int i = 0; i < 50000; ++i) {
      const double fraction = std::ldexp(static_cast<double>(random() >> 11), -53);
      check(std::ldexp(1.0 + fraction, static_cast<int>(random() % 50) - 30) * (random() % 2 == 0 ? 1 : -1));
    }
    for (int i = 0; i < 50000; ++i) {
      const auto value = std::bit_cast<double>(random());
      if (!std::isnan(value)) check(value);
    }
  }
}

TEST_CASE("bfloat16 is the upper half of a float32, rounded", "[property]") {
  for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto value = static_cast<double>(std::bit_cast<float>(pattern << 16));
    const double read = from_bfloat16(static_cast<uint16_t>(pattern));
    INFO("pattern " << pattern);
    REQUIRE((std::isnan(value) ? std::isnan(read) : read == value));
  }
  std::mt19937_64 random = test::generator(4);
  for (int i = 0; i < 200000; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    const auto value = std::bit_cast<float>(bits);
    if (std::isnan(value)) continue;
    // Half of the last place that is kept, or just less where that is even, carries into it.
    const uint32_t expected = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    INFO("bits " << bits);
    REQUIRE(to_bfloat16(static_cast<double>(value)) == expected);
  }
}

TEST_CASE("the other float types round as the processor does", "[unit]") {
  CHECK(round_to(kFloat32, 0.1) == static_cast<double>(0.1f));
  CHECK(round_to(kFloat64, 0.1) == 0.1);
  CHECK(std::isinf(round_to(kFloat32, 1e300)));
  CHECK(std::isnan(round_to(kFloat16, std::nan(""))));
  CHECK(std::isnan(round_to(kBFloat16, std::nan(""))));
}

TEST_CASE("types are DLPack's and back", "[unit]") {
  for (const DType dtype : {kBool, kInt4, kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kFloat16, kBFloat16,
                            kFloat32, kFloat64}) {
    CHECK(dtype_of(dl_dtype(dtype)) == dtype);
  }
  CHECK(dl_dtype(kFloat16).code == kDLFloat);
  CHECK(dl_dtype(kFloat16).bits == 16);
  CHECK(dl_dtype(kBFloat16).code == kDLBfloat);
  for (const DLDataType wrong :
       {DLDataType{kDLUInt, 4, 1}, {kDLUInt, 64, 1}, {kDLInt, 8, 4}, {kDLFloat, 8, 1}, {kDLBfloat, 32, 1}}) {
    CHECK_THAT(ERROR_OF(dtype_of(wrong)),
               ContainsSubstring("expected integers of up to 64 bits, unsigned ones of 8, 16 or 32"));
  }
}

}  // namespace vantage::test::base_tensor_dtype_test
