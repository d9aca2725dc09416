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

}  // namespace vantage::graph
