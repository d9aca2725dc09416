// What is known of the values that a network's floats take: from data that a user brings.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/tensor/tensor.h"
#include "compiler/graph/graph.h"

namespace vantage::graph {

// Magnitudes in bins of equal width. The widest value decides how wide they are: bins are merged in pairs as it grows.
//
// Thread safety: as a std::vector's.
class Magnitudes {
 public:
  // Counts the elements of a tensor of float32.
  void add(const Tensor& values);

  double largest() const { return largest_; }
  uint64_t count() const { return count_; }

  // The mean of the squared errors when values are rounded to multiples of `step` and cut at `limit` of them.
  double squared_error(double step, int64_t limit) const;
  // The share of values beyond `most`.
  double beyond(double most) const;

 private:
  static constexpr size_t kBins = 4096;

  double width_ = 0;  // of a bin; 0: nothing but zeros so far
  double largest_ = 0;
  uint64_t count_ = 0;
  std::vector<uint64_t> bins_ = std::vector<uint64_t>(kBins);
};

using Statistics = std::map<Value, Magnitudes>;

}  // namespace vantage::graph
