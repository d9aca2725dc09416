#include "explore/sampling.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::explore {

Sampling::Sampling(std::vector<uint64_t> sizes) : sizes_(std::move(sizes)) {
  for (const uint64_t size : sizes_) {
    if (combinations_ > (uint64_t{1} << 62) / size) fail("there are 2^62 combinations or more; take fewer values");
    combinations_ *= size;
  }
  count_ = combinations_;
}

Sampling Sampling::product(std::vector<uint64_t> sizes) {
  return Sampling(std::move(sizes));
}

Sampling Sampling::random(std::vector<uint64_t> sizes, uint64_t count, uint64_t seed) {
  Sampling sampling(std::move(sizes));
  sampling.count_ = std::min(count, sampling.combinations_);
  sampling.order_.emplace_back(sampling.combinations_, seed);
  return sampling;
}

Sampling Sampling::latin_hypercube(std::vector<uint64_t> sizes, uint64_t count, uint64_t seed) {
  Sampling sampling(std::move(sizes));
  sampling.count_ = count;
  for (size_t p = 0; p < sampling.sizes_.size(); ++p) sampling.strata_.emplace_back(count, mixed(seed) + p);
  return sampling;
}

std::vector<uint64_t> Sampling::operator()(uint64_t number) const {
  std::vector<uint64_t> places(sizes_.size());
  if (!strata_.empty()) {
    // In the middle of its stratum.
    for (size_t p = 0; p < sizes_.size(); ++p) {
      places[p] = static_cast<uint64_t>((static_cast<double>(strata_[p](number)) + 0.5) / static_cast<double>(count_) *
                                        static_cast<double>(sizes_[p]));
    }
    return places;
  }
  if (!order_.empty()) number = order_[0](number);
  for (size_t p = sizes_.size(); p-- > 0;) {
    places[p] = number % sizes_[p];
    number /= sizes_[p];
  }
  return places;
}

uint64_t Sampling::number_of(const std::vector<uint64_t>& places) const {
  uint64_t number = 0;
  for (size_t p = 0; p < sizes_.size(); ++p) number = number * sizes_[p] + places[p];
  return number;
}

}  // namespace vantage::explore
