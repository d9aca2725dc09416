#include "frontend/onnx/narrow.h"

#include <array>
#include <cmath>
#include <limits>

namespace vantage::onnx_models {

namespace {

using Special = NarrowType::Special;

constexpr std::array kTypes = {
    NarrowType{17, "FLOAT8E4M3FN", 8, kFloat32, 4, 3, 7, Special::kLastIsNan},
    NarrowType{18, "FLOAT8E4M3FNUZ", 8, kFloat32, 4, 3, 8, Special::kMinusZeroIsNan},
    NarrowType{19, "FLOAT8E5M2", 8, kFloat32, 5, 2, 15, Special::kLikeIeee},
    NarrowType{20, "FLOAT8E5M2FNUZ", 8, kFloat32, 5, 2, 16, Special::kMinusZeroIsNan},
    NarrowType{21, "UINT4", 4, kUInt8},
    NarrowType{22, "INT4", 4, kInt8},
    NarrowType{23, "FLOAT4E2M1", 4, kFloat32, 2, 1, 1},
    NarrowType{24, "FLOAT8E8M0", 8, kFloat32, 8, 0, 127, Special::kLastIsNan},
    NarrowType{25, "UINT2", 2, kUInt8},
    NarrowType{26, "INT2", 2, kInt8},
};

double float_of(const NarrowType& type, unsigned bits) {
  const unsigned last = (1U << type.exponent) - 1, fractions = 1U << type.fraction;
  const unsigned exponent = bits >> type.fraction & last, fraction = bits & (fractions - 1);
  // Powers of two alone have neither a sign nor a zero.
  const bool has_sign = type.exponent + type.fraction < type.bits;
  const bool is_negative = has_sign && (bits >> (type.exponent + type.fraction) & 1U) != 0;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const bool is_last = exponent == last;
  if (type.special == Special::kMinusZeroIsNan && is_negative && exponent == 0 && fraction == 0) return nan;
  if (type.special == Special::kLastIsNan && is_last && fraction == fractions - 1) return nan;
  if (type.special == Special::kLikeIeee && is_last && fraction != 0) return nan;
  double value = std::numeric_limits<double>::infinity();
  if (type.special != Special::kLikeIeee || !is_last) {
    const bool is_subnormal = exponent == 0 && has_sign;
    value = std::ldexp((is_subnormal ? 0.0 : 1.0) + static_cast<double>(fraction) / fractions,
                       static_cast<int>(is_subnormal ? 1 : exponent) - type.bias);
  }
  return is_negative ? -value : value;
}

}  // namespace

const NarrowType* find_narrow(int64_t data_type) {
  for (const NarrowType& type : kTypes) {
    if (type.data_type == data_type) return &type;
  }
  return nullptr;
}

uint64_t narrow_bytes(const NarrowType& type, uint64_t count) {
  const auto in_byte = static_cast<uint64_t>(8 / type.bits);
  return count / in_byte + (count % in_byte != 0 ? 1 : 0);
}

void read_narrow(const NarrowType& type, std::string_view bytes, Tensor& tensor) {
  const auto in_byte = 8 / type.bits;
  for (int64_t e = 0; e < tensor.size(); ++e) {
    // The first one is the lowest.
    const auto byte = static_cast<unsigned char>(bytes[static_cast<size_t>(e / in_byte)]);
    const unsigned bits = byte >> static_cast<unsigned>(e % in_byte * type.bits) & ((1U << type.bits) - 1);
    if (type.dtype.is_float()) {
      tensor.set_number(e, float_of(type, bits));
      continue;
    }
    const bool is_negative = type.dtype.is_signed() && bits >> (type.bits - 1) != 0;
    tensor.set_integer(e, int64_t{bits} - (is_negative ? int64_t{1} << type.bits : 0));
  }
}

}  // namespace vantage::onnx_models
