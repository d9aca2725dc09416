#include "workload/conv2d_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "hw/isa/lanes.h"

namespace vantage::workload {

namespace {

// Sums of one row of output pixels, channels side by side; weights likewise ([in channel][row][column][out channel]).
template <typename In, typename Sum>
void add_row(const Conv2dShape& s, std::span<const In> inputs, const std::vector<Sum>& weights, int64_t n, int64_t y,
             Sum* sums) {
  const auto channels = static_cast<size_t>(s.out_channels);
  const Sum* weight = weights.data();
  for (int64_t c = 0; c < s.in_channels; ++c) {
    for (int64_t kh = 0; kh < s.kernel_h; ++kh) {
      const int64_t row = y * s.stride.rows + kh * s.dilation.rows - s.pad.top;
      if (row < 0 || row >= s.height) {
        weight += static_cast<size_t>(s.kernel_w) * channels;
        continue;
      }
      const In* in = &inputs[static_cast<size_t>(((n * s.in_channels + c) * s.height + row) * s.width)];
      for (int64_t kw = 0; kw < s.kernel_w; ++kw, weight += channels) {
        Sum* out = sums;
        for (int64_t x = 0; x < s.out_width(); ++x, out += channels) {
          const int64_t column = x * s.stride.columns + kw * s.dilation.columns - s.pad.left;
          if (column < 0 || column >= s.width) continue;
          const auto value = static_cast<Sum>(in[column]);
          for (size_t o = 0; o < channels; ++o) out[o] += value * weight[o];
        }
      }
    }
  }
}

template <typename In, typename Weight, typename Sum>
void convolve(const Conv2dShape& s, std::span<const In> inputs, std::span<const Weight> weights, Sum* sums,
              const RowsDone& done) {
  const auto channels = static_cast<size_t>(s.out_channels);
  const size_t terms = weights.size() / channels;
  std::vector<Sum> by_channel(weights.size());
  for (size_t o = 0; o < channels; ++o) {
    for (size_t t = 0; t < terms; ++t) by_channel[t * channels + o] = static_cast<Sum>(weights[o * terms + t]);
  }
  const int64_t rows = s.batch * s.out_height(), row = s.out_width() * s.out_channels;
  for (int64_t r = 0; r < rows; ++r) {
    if (done) done(static_cast<uint64_t>(r));
    add_row(s, inputs, by_channel, r / s.out_height(), r % s.out_height(), sums + r * row);
  }
}

// As float64, or the magnitudes.
Tensor in_double(const Tensor& tensor, bool magnitudes) {
  Tensor result = tensor.converted(kFloat64);
  if (magnitudes) {
    for (double& value : result.values<double>()) value = std::abs(value);
  }
  return result;
}

}  // namespace

Tensor conv2d_sums(const Conv2dShape& shape, const Tensor& inputs, const Tensor& weights, const RowsDone& done,
                   bool magnitudes) {
  Conv2dShape s = shape;
  s.batch = inputs.extent(0);
  VANTAGE_CHECK(inputs.size() == s.batch * s.in_channels * s.height * s.width);
  VANTAGE_CHECK(weights.size() == s.out_channels * s.in_channels * s.kernel_h * s.kernel_w);
  const Tensor::Shape sizes = {s.batch, s.out_height(), s.out_width(), s.out_channels};
  if (inputs.dtype().is_float()) {
    const Tensor a = in_double(inputs, magnitudes), w = in_double(weights, magnitudes);
    Tensor sums(kFloat64, sizes);
    convolve(s, a.values<double>(), w.values<double>(), sums.values<double>().data(), done);
    return sums;
  }
  VANTAGE_CHECK(!magnitudes);
  // Unsigned while it is summed: the accumulator wraps.
  std::vector<uint32_t> wrapping(static_cast<size_t>(s.batch * s.out_height() * s.out_width() * s.out_channels));
  visit_integers(inputs, [&](const auto& a) {
    visit_integers(weights, [&](const auto& w) { convolve(s, a, w, wrapping.data(), done); });
  });
  Tensor sums(kInt32, sizes);
  std::transform(wrapping.begin(), wrapping.end(), sums.values<int32_t>().begin(),
                 [](uint32_t sum) { return static_cast<int32_t>(sum); });
  return sums;
}

int32_t finish(int32_t sum, int32_t bias, const ops::Epilogue& epilogue, int acc_bits) {
  const int32_t value = wrap_to(static_cast<uint32_t>(sum) + static_cast<uint32_t>(bias), acc_bits);
  return std::clamp(value >> epilogue.shift, epilogue.clip_min, epilogue.clip_max);
}

Tensor conv2d_reference(const isa::Config& config, const Conv2dShape& shape, const ops::Epilogue& epilogue,
                        const Tensor& inputs, const Tensor& weights, const std::optional<Tensor>& bias,
                        const RowsDone& done) {
  Tensor sums = conv2d_sums(shape, inputs, weights, done);
  const auto channels = static_cast<size_t>(shape.out_channels);
  std::vector<int32_t> biases(channels);
  for (size_t o = 0; bias && o < channels; ++o)
    biases[o] = static_cast<int32_t>(bias->integer(static_cast<int64_t>(o)));
  const auto values = sums.values<int32_t>();
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = finish(values[i], biases[i % channels], epilogue, config.acc_bits());
  }
  const int bits = config.out_bits();
  return sums.permuted({0, 3, 1, 2}).converted(bits <= 8 ? kInt8 : bits <= 16 ? kInt16 : kInt32);
}

std::string first_difference(const Tensor& expected, const Tensor& got) {
  VANTAGE_CHECK(expected.shape() == got.shape() && (expected.rank() == 2 || expected.rank() == 4));
  if (expected == got) return {};
  for (int64_t i = 0; i < expected.size(); ++i) {
    if (expected.integer(i) == got.integer(i)) continue;
    const auto at = expected.index_of(i);
    const bool is_matrix = at.size() == 2 || expected.extent(2) * expected.extent(3) == 1;
    const std::string where = is_matrix
                                  ? fmt::format("row {}, column {}", at[0], at[1])
                                  : fmt::format("image {}, channel {}, row {}, column {}", at[0], at[1], at[2], at[3]);
    return fmt::format("first mismatch at {}: expected {}, got {}", where, expected.integer(i), got.integer(i));
  }
  return {};
}

}  // namespace vantage::workload
