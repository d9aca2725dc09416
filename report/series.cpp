#include "report/series.h"

#include <algorithm>
#include <cmath>

namespace vantage::report {

void Series::widen(uint64_t cycles) {
  for (; width_ < cycles; width_ *= 2) {
    for (size_t i = 0; 2 * i < sums_.size(); ++i) {
      sums_[i] = sums_[2 * i] + (2 * i + 1 < sums_.size() ? sums_[2 * i + 1] : 0);
    }
    sums_.resize((sums_.size() + 1) / 2);
  }
}

void Series::add(uint64_t first, uint64_t count, double value) {
  if (count == 0 || value == 0) return;
  const uint64_t end = first + count;
  while ((end - 1) / width_ >= kMostBuckets) widen(2 * width_);
  if ((end - 1) / width_ >= sums_.size()) sums_.resize((end - 1) / width_ + 1);
  for (uint64_t bucket = first / width_; bucket * width_ < end; ++bucket) {
    const uint64_t from = std::max(first, bucket * width_), to = std::min(end, (bucket + 1) * width_);
    sums_[bucket] += value * static_cast<double>(to - from);
  }
}

std::string Series::levels(uint64_t cycles, double full) const {
  const uint64_t buckets = (cycles + width_ - 1) / width_;
  std::string levels(buckets, '\0');
  for (uint64_t i = 0; i < std::min<uint64_t>(buckets, sums_.size()); ++i) {
    const uint64_t width = std::min(width_, cycles - i * width_);
    const double mean = sums_[i] / static_cast<double>(width);
    // What happens at all is seen
    const double level = std::clamp(255 * mean / full, mean > 0 ? 1.0 : 0.0, 255.0);
    levels[i] = static_cast<char>(static_cast<uint8_t>(std::lround(level)));
  }
  return levels;
}

double Series::peak() const {
  double most = 0;
  for (const double sum : sums_) most = std::max(most, sum / static_cast<double>(width_));
  return most;
}

}  // namespace vantage::report
