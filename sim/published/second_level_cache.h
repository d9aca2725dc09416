// Which lines a cache with random replacement holds. Its choices come from a generator of its own, so that the same
// accesses give the same misses.
//
// Thread safety: none.
#pragma once

#include <vector>

#include "sim/published/published_timing.h"

namespace vantage::sim {

class SecondLevelCache {
 public:
  explicit SecondLevelCache(const CacheTiming& timing);

  // Touches the lines of [address, address + size), which are there from then on: how many of these bytes lie in lines
  // that were not.
  Bytes missed(Bytes address, Bytes size);
  void clear();

 private:
  uint64_t random();

  uint64_t line_, sets_, ways_;
  std::vector<uint64_t> tags_;  // by set and way, a line's number + 1; 0: empty
  uint64_t state_ = 0;
};

}  // namespace vantage::sim
