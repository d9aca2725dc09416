// A quantity over the cycles of a run that may be of any length, in a bounded number of buckets.
//
// Thread safety: values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vantage::report {

class Series {
 public:
  // At most so many buckets: twice as wide ones are made of pairs when there would be more.
  static constexpr size_t kMostBuckets = size_t{1} << 15;

  // Adds `value` in each of `count` cycles from `first` on.
  void add(uint64_t first, uint64_t count, double value);

  // Makes buckets at least so wide. REQUIRES: a power of two.
  void widen(uint64_t cycles);
  uint64_t bucket_cycles() const { return width_; }

  // The mean over the cycles of each bucket, of a run of `cycles`, in 255ths of `full`; what is more is cut off.
  std::string levels(uint64_t cycles, double full) const;
  // The largest of these means.
  double peak() const;

 private:
  uint64_t width_ = 1;
  std::vector<double> sums_;
};

}  // namespace vantage::report
