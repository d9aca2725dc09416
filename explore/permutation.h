// The numbers below `size` in an order of a seed's, any of them at once and without a table: a Feistel network over the
// next power of four, walked on from what lies outside (Black and Rogaway 2002).
//
// Thread safety: const.
#pragma once

#include <cstdint>

namespace vantage::explore {

// A number that a seed and another number give, as good as random (the finalizer of SplitMix64, Steele et al. 2014).
constexpr uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Permutation {
 public:
  // REQUIRES: 0 < size <= 2^62
  Permutation(uint64_t size, uint64_t seed) : size_(size), seed_(seed) {
    while ((uint64_t{1} << (2 * half_)) < size) ++half_;
  }

  uint64_t size() const { return size_; }
  // REQUIRES: number < size()
  uint64_t operator()(uint64_t number) const {
    do number = shuffled(number);
    while (number >= size_);
    return number;
  }

 private:
  uint64_t shuffled(uint64_t x) const {
    const uint64_t mask = (uint64_t{1} << half_) - 1;
    uint64_t left = x >> half_, right = x & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t next = left ^ (mixed(mixed(seed_ + round) ^ right) & mask);
      left = right;
      right = next;
    }
    return (left << half_) | right;
  }

  uint64_t size_, seed_;
  int half_ = 1;  // bits
};

}  // namespace vantage::explore
