#include "compiler/graph/quantize/statistics.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace vantage::graph {

void Magnitudes::add(const Tensor& values) {
  const auto all = values.values<float>();
  float largest = 0;
  for (const float value : all) {
    if (!std::isfinite(value)) fail("a value is {}", value);
    largest = std::max(largest, std::abs(value));
  }
  largest_ = std::max(largest_, double{largest});
  count_ += all.size();
  if (width_ == 0 && largest > 0) {
    // Zeros so far are in the first bin, however wide it is.
    width_ = double{largest} / (kBins - 1);
  }
  while (width_ > 0 && largest_ >= width_ * kBins) {
    for (size_t i = 0; i < kBins / 2; ++i) bins_[i] = bins_[2 * i] + bins_[2 * i + 1];
    std::fill(bins_.begin() + kBins / 2, bins_.end(), 0);
    width_ *= 2;
  }
  const double per_width = width_ == 0 ? 0 : 1 / width_;
  for (const float value : all) {
    zeros_ += value == 0 ? 1 : 0;
    ++bins_[std::min(kBins - 1, static_cast<size_t>(double{std::abs(value)} * per_width))];
  }
}

double Magnitudes::squared_error(double step, int64_t limit) const {
  double sum = 0;
  for (size_t i = 0; i < kBins; ++i) {
    if (bins_[i] == 0) continue;
    // What a bin has lies evenly in it. Where it is narrower than a step its middle stands for all.
    const double middle = (static_cast<double>(i) + 0.5) * width_;
    double error = 0;
    if (middle > static_cast<double>(limit) * step) {
      error = middle - static_cast<double>(limit) * step;
      error *= error;
    } else if (width_ < step) {
      error = middle - std::round(middle / step) * step;
      error *= error;
    } else {
      error = step * step / 12;
    }
    sum += error * static_cast<double>(bins_[i]);
  }
  return count_ == 0 ? 0 : sum / static_cast<double>(count_);
}

double Magnitudes::beyond(double most) const {
  if (width_ == 0 || count_ == 0) return 0;
  uint64_t beyond = 0;
  for (size_t i = 0; i < kBins; ++i) {
    if (static_cast<double>(i) * width_ > most) beyond += bins_[i];
  }
  return static_cast<double>(beyond) / static_cast<double>(count_);
}

double Magnitudes::divergence(double step, int64_t limit) const {
  if (count_ == zeros_ || width_ == 0) return 0;
  // Zeros are told whatever the step is. What lies near them is not to look like all that an activation has cut to 0.
  const auto of_bin = [&](size_t i) { return bins_[i] - (i == 0 ? zeros_ : 0); };
  const double most = (static_cast<double>(limit) + 0.5) * step;
  const size_t end = std::clamp<size_t>(static_cast<size_t>(std::ceil(most / width_)), 1, kBins);
  // What lies beyond counts as the last bin that is told apart.
  uint64_t cut = 0;
  for (size_t i = end; i < kBins; ++i) cut += bins_[i];
  // Of a step all bins that there are look alike.
  double divergence = 0;
  const auto all = static_cast<double>(count_ - zeros_);
  for (size_t first = 0; first < end;) {
    const double level = std::round((static_cast<double>(first) + 0.5) * width_ / step);
    size_t last = first, filled = 0;
    double told = 0;
    while (last < end && std::round((static_cast<double>(last) + 0.5) * width_ / step) == level) {
      told += static_cast<double>(of_bin(last));
      filled += of_bin(last) > 0 || last + 1 == end ? 1 : 0;
      ++last;
    }
    for (size_t i = first; i < last; ++i) {
      const double share = static_cast<double>(of_bin(i) + (i + 1 == end ? cut : 0)) / all;
      if (share == 0) continue;
      // Where nothing but what was cut lies nothing was told: as little as one value in all.
      const double left = std::max(told / static_cast<double>(filled), 1.0) / all;
      divergence += share * std::log(share / left);
    }
    first = last;
  }
  return divergence;
}

double Magnitudes::percentile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  double so_far = 0;
  for (size_t i = 0; i < kBins && width_ > 0; ++i) {
    so_far += static_cast<double>(bins_[i]);
    if (so_far >= wanted) return std::min(largest_, static_cast<double>(i + 1) * width_);
  }
  return largest_;
}

size_t channel_axis(size_t rank) {
  return rank == 4 ? 1 : rank - 1;
}

void Channels::add(const Tensor& values) {
  const Tensor::Shape& shape = values.shape();
  const size_t axis = shape.empty() ? 0 : channel_axis(shape.size());
  const auto channels = static_cast<size_t>(shape.empty() ? 1 : shape[axis]);
  if (largest_.empty()) {
    largest_.assign(channels, 0);
    sums_.assign(channels, 0);
    squares_.assign(channels, 0);
  }
  VANTAGE_CHECK(largest_.size() == channels);
  if (values.size() == 0) return;
  int64_t inner = 1;
  for (size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  const auto all = values.values<float>();
  const auto length = static_cast<size_t>(inner);
  for (size_t first = 0; first < all.size(); first += length) {
    const size_t channel = first / length % channels;
    double largest = largest_[channel], sum = 0, square = 0;
    for (const float value : all.subspan(first, length)) {
      largest = std::max(largest, double{std::abs(value)});
      sum += double{value};
      square += double{value} * double{value};
    }
    largest_[channel] = largest;
    sums_[channel] += sum;
    squares_[channel] += square;
  }
  each_ += static_cast<double>(values.size()) / static_cast<double>(channels);
}

}  // namespace vantage::graph
