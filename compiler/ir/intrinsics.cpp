#include "compiler/ir/intrinsics.h"

#include <algorithm>
#include <cmath>

namespace vantage::ir {

namespace {

// The sum of four products of signed bytes, those of `a` unsigned if so wanted.
template <typename ByteOfA>
double dot4(double a, double b) {
  const auto x = static_cast<uint32_t>(static_cast<int64_t>(a));
  const auto y = static_cast<uint32_t>(static_cast<int64_t>(b));
  int32_t sum = 0;
  for (int shift = 0; shift < 32; shift += 8) sum += static_cast<ByteOfA>(x >> shift) * static_cast<int8_t>(y >> shift);
  return sum;
}

}  // namespace

const std::vector<Intrinsic>& intrinsics() {
  using enum IntrinsicKind;
  static const std::vector<Intrinsic> kTable = {
      {"abs", 1, kAny, [](double a, double) { return std::abs(a); }},
      {"acos", 1, kMath, [](double a, double) { return std::acos(a); }},
      {"acosh", 1, kMath, [](double a, double) { return std::acosh(a); }},
      {"asin", 1, kMath, [](double a, double) { return std::asin(a); }},
      {"asinh", 1, kMath, [](double a, double) { return std::asinh(a); }},
      {"atan", 1, kMath, [](double a, double) { return std::atan(a); }},
      {"atan2", 2, kMath, [](double a, double b) { return std::atan2(a, b); }},
      {"atanh", 1, kMath, [](double a, double) { return std::atanh(a); }},
      {kByWarp, 1, kHint, nullptr},
      {"ceil", 1, kMath, [](double a, double) { return std::ceil(a); }},
      {"cos", 1, kMath, [](double a, double) { return std::cos(a); }},
      {"cosh", 1, kMath, [](double a, double) { return std::cosh(a); }},
      {kDot4, 2, kBytes, dot4<int8_t>},
      {kDot4UnsignedSigned, 2, kBytes, dot4<uint8_t>},
      {"erf", 1, kMath, [](double a, double) { return std::erf(a); }},
      {"exp", 1, kMath, [](double a, double) { return std::exp(a); }},
      {"exp2", 1, kMath, [](double a, double) { return std::exp2(a); }},
      {"floor", 1, kMath, [](double a, double) { return std::floor(a); }},
      {"fmod", 2, kMath, [](double a, double b) { return std::fmod(a, b); }},
      {"isinf", 1, kPredicate, [](double a, double) { return std::isinf(a) ? 1.0 : 0.0; }},
      {"isnan", 1, kPredicate, [](double a, double) { return std::isnan(a) ? 1.0 : 0.0; }},
      {kLikely, 1, kHint, nullptr},
      {"log", 1, kMath, [](double a, double) { return std::log(a); }},
      {"log1p", 1, kMath, [](double a, double) { return std::log1p(a); }},
      {"log2", 1, kMath, [](double a, double) { return std::log2(a); }},
      {"log10", 1, kMath, [](double a, double) { return std::log10(a); }},
      {"pow", 2, kMath, [](double a, double b) { return std::pow(a, b); }},
      {"round", 1, kMath, [](double a, double) { return std::nearbyint(a); }},
      {"rsqrt", 1, kMath, [](double a, double) { return 1.0 / std::sqrt(a); }},
      {"sigmoid", 1, kMath, [](double a, double) { return 1.0 / (1.0 + std::exp(-a)); }},
      {"sin", 1, kMath, [](double a, double) { return std::sin(a); }},
      {"sinh", 1, kMath, [](double a, double) { return std::sinh(a); }},
      {"sqrt", 1, kMath, [](double a, double) { return std::sqrt(a); }},
      {kStorageSync, 1, kBarrier, nullptr},
      {"tan", 1, kMath, [](double a, double) { return std::tan(a); }},
      {"tanh", 1, kMath, [](double a, double) { return std::tanh(a); }},
      {"trunc", 1, kMath, [](double a, double) { return std::trunc(a); }},
  };
  return kTable;
}

const Intrinsic* find_intrinsic(std::string_view name) {
  const auto& table = intrinsics();
  const auto row = std::find_if(table.begin(), table.end(), [&](const Intrinsic& i) { return i.name == name; });
  return row == table.end() ? nullptr : &*row;
}

}  // namespace vantage::ir
