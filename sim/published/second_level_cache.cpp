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

Bytes SecondLevelCache::missed(Bytes address, Bytes size) {
  if (size.count() == 0) return {};
  Bytes missed;
  const uint64_t begin = address.count(), end = begin + size.count();
  for (uint64_t line = begin / line_; line <= (end - 1) / line_; ++line) {
    const auto set = tags_.begin() + static_cast<ptrdiff_t>(line % sets_ * ways_);
    const auto set_end = set + static_cast<ptrdiff_t>(ways_);
    if (std::find(set, set_end, line + 1) != set_end) continue;
    missed += Bytes(std::min(end, (line + 1) * line_) - std::max(begin, line * line_));
    const auto empty = std::find(set, set_end, 0);
    *(empty != set_end ? empty : set + static_cast<ptrdiff_t>(random() % ways_)) = line + 1;
  }
  return missed;
}

}  // namespace vantage::sim
