// What a cache with random replacement holds.
#include "sim/published/second_level_cache.h"

#include "tests/catch.h"

namespace vantage::test::sim_published_second_level_cache_test {

using namespace vantage;
using sim::CacheTiming;
using sim::SecondLevelCache;

namespace {

const CacheTiming kSmall{.size = Bytes(1024), .line = Bytes(32), .ways = 4, .missed_beat = sim::Millicycles(1000)};

}  // namespace

TEST_CASE("lines are there once they were touched, whichever of their bytes", "[unit]") {
  SecondLevelCache cache(kSmall);
  CHECK(cache.missed(Bytes(31), Bytes(2)) == Bytes(2));
  CHECK(cache.missed(Bytes(0), Bytes(64)) == Bytes(0));
  CHECK(cache.missed(Bytes(63), Bytes(1)) == Bytes(0));
  CHECK(cache.missed(Bytes(64), Bytes(0)) == Bytes(0));
  CHECK(cache.missed(Bytes(64), Bytes(1)) == Bytes(1));
}

TEST_CASE("a whole cache fits, and comes again after it was emptied", "[unit]") {
  SecondLevelCache cache(kSmall);
  CHECK(cache.missed(Bytes(4096), kSmall.size) == kSmall.size);
  CHECK(cache.missed(Bytes(4096), kSmall.size) == Bytes(0));
  cache.clear();
  CHECK(cache.missed(Bytes(4096), kSmall.size) == kSmall.size);
}

TEST_CASE("of twice a cache some lines are found again, by the same choices every time", "[unit]") {
  const auto misses = [] {
    SecondLevelCache cache(kSmall);
    std::vector<uint64_t> counts;
    for (int i = 0; i < 20; ++i) counts.push_back(cache.missed(Bytes(0), kSmall.size * 2).count() / 32);
    return counts;
  };
  const auto counts = misses();
  CHECK(counts == misses());
  CHECK(counts[0] == 64);
  uint64_t later = 0;
  for (size_t i = 1; i < counts.size(); ++i) later += counts[i];
  // In a loop over twice its lines, the oldest replaced first, none would be found.
  CHECK(later < 19 * 64);
  CHECK(later > 19 * 32);
}

}  // namespace vantage::test::sim_published_second_level_cache_test
