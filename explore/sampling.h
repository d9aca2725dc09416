// Which combinations of values are taken of all that there are.
//
// Thread safety: const.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/permutation.h"

namespace vantage::explore {

class Sampling {
 public:
  // Of `sizes` values each; the last one changes fastest. All throw Error when there are 2^62 combinations or more.
  static Sampling product(std::vector<uint64_t> sizes);
  // `count` of them, or all, each once, in an order of the seed's.
  static Sampling random(std::vector<uint64_t> sizes, uint64_t count, uint64_t seed);
  // `count` points, of which each value of a parameter has its share (McKay et al. 1979).
  static Sampling latin_hypercube(std::vector<uint64_t> sizes, uint64_t count, uint64_t seed);

  uint64_t size() const { return count_; }
  uint64_t combinations() const { return combinations_; }
  // No combination comes twice.
  bool is_distinct() const { return strata_.empty(); }
  // Every combination comes, in the order of its places.
  bool is_product() const { return strata_.empty() && order_.empty(); }
  // The place of each parameter's value. REQUIRES: number < size()
  std::vector<uint64_t> operator()(uint64_t number) const;
  // Which number has these places. REQUIRES: is_product()
  uint64_t number_of(const std::vector<uint64_t>& places) const;

 private:
  explicit Sampling(std::vector<uint64_t> sizes);

  std::vector<uint64_t> sizes_;
  uint64_t combinations_ = 1, count_ = 1;
  std::vector<Permutation> order_;   // of random ones
  std::vector<Permutation> strata_;  // of each parameter
};

}  // namespace vantage::explore
