#include "cli/compare/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cli/progress.h"
#include "cli/random_tensor.h"

namespace vantage::cli {

using ops::Conv2dShape;
using ops::Images;

namespace {

Images images(const std::vector<double>& values, int64_t n, int64_t c, int64_t h, int64_t w) {
  Images result(static_cast<size_t>(n), static_cast<size_t>(c), static_cast<size_t>(h), static_cast<size_t>(w));
  std::transform(values.begin(), values.end(), result.values.begin(), [](double v) { return static_cast<int32_t>(v); });
  return result;
}

// One row of output pixels' sums, of values or of their magnitudes.
template <typename Value>
void add_row(const CompareWorkload& workload, const Operands& operands, const std::vector<double>& by_channel,
             int64_t n, int64_t y, double* sums, const Value& value) {
  const Conv2dShape& s = workload.shape;
  const auto channels = static_cast<size_t>(s.out_channels);
  for (int64_t x = 0; x < s.out_width(); ++x) {
    double* out = sums + static_cast<size_t>(x) * channels;
    size_t weight = 0;
    for (int64_t c = 0; c < s.in_channels; ++c) {
      for (int64_t kh = 0; kh < s.kernel_h; ++kh) {
        for (int64_t kw = 0; kw < s.kernel_w; ++kw, weight += channels) {
          const int64_t row = y * s.stride + kh - s.pad, column = x * s.stride + kw - s.pad;
          if (row < 0 || row >= s.height || column < 0 || column >= s.width) continue;
          const auto at = static_cast<size_t>(((n * s.in_channels + c) * s.height + row) * s.width + column);
          const double in = value(operands.inputs[at]);
          for (size_t o = 0; o < channels; ++o) out[o] += in * value(by_channel[weight + o]);
        }
      }
    }
  }
}

}  // namespace

Images Operands::input_images(const Conv2dShape& s) const {
  return images(inputs, s.batch, s.in_channels, s.height, s.width);
}

Images Operands::weight_images(const Conv2dShape& s) const {
  return images(weights, s.out_channels, s.in_channels, s.kernel_h, s.kernel_w);
}

Operands random_operands(const CompareWorkload& workload, uint64_t seed) {
  const Conv2dShape& s = workload.shape;
  std::mt19937_64 random(seed);
  const auto fill = [&](int64_t count) {
    std::vector<double> values(static_cast<size_t>(count));
    for (double& value : values) {
      if (workload.dtype == ir::kInt8) {
        value = random_value(8, random);
      } else {
        const double unit = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
        value = ir::round_to(workload.dtype, unit);
      }
    }
    return values;
  };
  Operands result;
  result.inputs = fill(s.batch * s.in_channels * s.height * s.width);
  result.weights = fill(s.out_channels * s.in_channels * s.kernel_h * s.kernel_w);
  if (workload.epilogue.bias) {
    for (int64_t o = 0; o < s.out_channels; ++o) result.bias.push_back(random_value(16, random));
  }
  return result;
}

Reference reference(const CompareWorkload& workload, const Operands& operands) {
  const Conv2dShape& s = workload.shape;
  // The weights with their output channels side by side.
  const auto channels = static_cast<size_t>(s.out_channels);
  const size_t terms = operands.weights.size() / channels;
  std::vector<double> by_channel(operands.weights.size());
  for (size_t o = 0; o < channels; ++o) {
    for (size_t t = 0; t < terms; ++t) by_channel[t * channels + o] = operands.weights[o * terms + t];
  }
  const auto rows = static_cast<size_t>(s.batch * s.out_height());
  const size_t row = static_cast<size_t>(s.out_width()) * channels;
  Reference result;
  result.sums.resize(rows * row);
  const bool floats = workload.dtype.is_float();
  if (floats) result.magnitudes.resize(rows * row);
  Progress progress("reference rows", rows);
  for (size_t r = 0; r < rows; ++r) {
    progress.advance(r);
    const int64_t n = static_cast<int64_t>(r) / s.out_height(), y = static_cast<int64_t>(r) % s.out_height();
    add_row(workload, operands, by_channel, n, y, &result.sums[r * row], [](double v) { return v; });
    if (!floats) continue;
    add_row(workload, operands, by_channel, n, y, &result.magnitudes[r * row], [](double v) { return std::abs(v); });
  }
  return result;
}

int32_t finished(const CompareWorkload& workload, const Operands& operands, double sum, size_t channel) {
  auto value = static_cast<int32_t>(sum);
  if (!operands.bias.empty()) value += operands.bias[channel];
  return std::clamp(value >> workload.epilogue.shift, workload.epilogue.clip_min, workload.epilogue.clip_max);
}

std::string difference(const CompareWorkload& workload, const Reference& expected, const std::vector<double>& got,
                       ir::DType result) {
  const Conv2dShape& s = workload.shape;
  const auto terms = static_cast<double>(s.in_channels * s.kernel_h * s.kernel_w);
  for (size_t i = 0; i < expected.sums.size(); ++i) {
    const double wanted = expected.sums[i];
    double slack = 0;
    if (workload.dtype.is_float()) {
      slack = (terms + 1) * 0x1p-24 * expected.magnitudes[i];
      if (result == ir::kFloat16) slack += 0x1p-10 * std::abs(wanted) + 0x1p-24;
    }
    if (std::abs(got[i] - wanted) <= slack) continue;
    const size_t channel = i % static_cast<size_t>(s.out_channels), pixel = i / static_cast<size_t>(s.out_channels);
    return fmt::format("expected {} at {} {}, channel {}, got {}", wanted, workload.is_matmul ? "row" : "pixel", pixel,
                       channel, got[i]);
  }
  return {};
}

}  // namespace vantage::cli
