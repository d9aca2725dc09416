// What is known of the values that a network's floats take: from data that a user brings.
//
// Thread safety: as a std::vector's.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/tensor/tensor.h"
#include "compiler/graph/graph.h"

namespace vantage::graph {

// Magnitudes in bins of equal width. The widest value decides how wide they are: bins are merged in pairs as it grows.
class Magnitudes {
 public:
  // Counts the elements of a tensor of float32. Throws Error for one that is no number.
  void add(const Tensor& values);

  double largest() const { return largest_; }
  uint64_t count() const { return count_; }

  // The mean of the squared errors when values are rounded to multiples of `step` and cut at `limit` of them.
  double squared_error(double step, int64_t limit) const;
  // How much is told of where values lie, in nats, when they are rounded and cut so: the Kullback-Leibler divergence of
  // what is left from what there was, zeros aside (as in "8-bit inference with TensorRT", Migacz 2017).
  double divergence(double step, int64_t limit) const;
  // The share of values beyond `most`.
  double beyond(double most) const;
  // What so large a share of all values is not beyond.
  double percentile(double share) const;

 private:
  static constexpr size_t kBins = 4096;

  double width_ = 0;  // of a bin; 0: nothing but zeros so far
  double largest_ = 0;
  uint64_t count_ = 0, zeros_ = 0;  // values; of them exact zeros, which are in the first bin
  std::vector<uint64_t> bins_ = std::vector<uint64_t>(kBins);
};

// The axis of a value's channels: the second of images, [n, c, h, w], and the last of everything else.
size_t channel_axis(size_t rank);

// The same values channel by channel.
class Channels {
 public:
  // Counts the elements of a tensor of float32, always of as many channels.
  void add(const Tensor& values);

  size_t count() const { return largest_.size(); }
  double largest(size_t channel) const { return largest_.at(channel); }
  double mean(size_t channel) const { return sums_.at(channel) / each_; }
  double mean_square(size_t channel) const { return squares_.at(channel) / each_; }

 private:
  std::vector<double> largest_, sums_, squares_;
  double each_ = 0;  // values of a channel
};

struct ValueStatistics {
  Magnitudes magnitudes;
  Channels channels;

  void add(const Tensor& values) {
    magnitudes.add(values);
    channels.add(values);
  }
};

using Statistics = std::map<Value, ValueStatistics>;

}  // namespace vantage::graph
