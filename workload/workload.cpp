#include "workload/workload.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "base/error.h"
#include "base/tensor/random.h"

namespace vantage::workload {

Operands random_operands(const Workload& workload, uint64_t seed) {
  const Conv2dShape& s = workload.shape;
  std::mt19937_64 random(seed);
  const auto filled = [&](Tensor::Shape shape) {
    Tensor tensor(workload.dtype, std::move(shape));
    if (workload.dtype != kInt8) {
      fill(tensor, random);
      return tensor;
    }
    for (int8_t& value : tensor.values<int8_t>()) value = static_cast<int8_t>(random_value(8, random));
    return tensor;
  };
  Operands result;
  result.inputs = filled({s.batch, s.in_channels, s.height, s.width});
  result.weights = filled({s.out_channels, s.in_channels, s.kernel_h, s.kernel_w});
  if (workload.epilogue.bias) {
    result.bias.emplace(kInt32, Tensor::Shape{1, s.out_channels});
    for (int32_t& value : result.bias->values<int32_t>()) value = random_value(16, random);
  }
  return result;
}

Reference reference(const Workload& workload, const Operands& operands, const RowsDone& done) {
  Reference result;
  result.sums = conv2d_sums(workload.shape, operands.inputs, operands.weights, done);
  if (workload.dtype.is_float()) {
    result.magnitudes = conv2d_sums(workload.shape, operands.inputs, operands.weights, nullptr, true);
  }
  return result;
}

std::string difference(const Workload& workload, const Reference& expected, const Tensor& got) {
  const Conv2dShape& s = workload.shape;
  VANTAGE_CHECK(got.size() == expected.sums.size());
  const auto terms = static_cast<double>(s.in_channels * s.kernel_h * s.kernel_w);
  for (int64_t i = 0; i < got.size(); ++i) {
    const double wanted = expected.sums.number(i), value = got.number(i);
    double slack = 0;
    if (expected.magnitudes) {
      slack = (terms + 1) * 0x1p-24 * expected.magnitudes->number(i);
      if (got.dtype().is_narrow_float()) slack += std::ldexp(std::abs(wanted), 1 - got.dtype().digits()) + 0x1p-24;
    }
    if (std::abs(value - wanted) <= slack) continue;
    return fmt::format("expected {} at {} {}, channel {}, got {}", wanted, workload.is_matmul ? "row" : "pixel",
                       i / s.out_channels, i % s.out_channels, value);
  }
  return {};
}

std::string finished_difference(const Workload& workload, const Operands& operands, const Reference& expected,
                                const Tensor& got, int acc_bits) {
  VANTAGE_CHECK(got.size() == expected.sums.size());
  const int64_t channels = workload.shape.out_channels;
  const auto sums = expected.sums.values<int32_t>();
  for (int64_t i = 0; i < got.size(); ++i) {
    const int32_t wanted =
        finish(sums[static_cast<size_t>(i)], operands.bias_of(i % channels), workload.epilogue, acc_bits);
    const int64_t value = got.integer(i);
    if (value == wanted) continue;
    return fmt::format("expected {} at pixel {}, channel {}, got {}", wanted, i / channels, i % channels, value);
  }
  return {};
}

}  // namespace vantage::workload
