#include "sim/published/second_level_cache.h"

#include <algorithm>

namespace vantage::sim {

namespace {

constexpr uint64_t kSeed = 0x9e3779b97f4a7c15;

}  // namespace

SecondLevelCache::SecondLevelCache(const CacheTiming& timing)
    : line_(timing.line.count()), sets_(timing.size.count() / (line_ * timing.ways)), ways_(timing.ways) {
  clear();
}

void SecondLevelCache::clear() {
  tags_.assign(sets_ * ways_, 0);
  state_ = kSeed;
}

// xorshift64: Marsaglia, "Xorshift RNGs", 2003.
uint64_t SecondLevelCache::random() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return state_;
}

uint64_t SecondLevelCache::misses(Bytes address, Bytes size) {
  if (size.count() == 0) return 0;
  uint64_t missed = 0;
  const uint64_t last = (address.count() + size.count() - 1) / line_;
  for (uint64_t line = address.count() / line_; line <= last; ++line) {
    const auto set = tags_.begin() + static_cast<ptrdiff_t>(line % sets_ * ways_);
    const auto end = set + static_cast<ptrdiff_t>(ways_);
    if (std::find(set, end, line + 1) != end) continue;
    ++missed;
    const auto empty = std::find(set, end, 0);
    *(empty != end ? empty : set + static_cast<ptrdiff_t>(random() % ways_)) = line + 1;
  }
  return missed;
}

}  // namespace vantage::sim
