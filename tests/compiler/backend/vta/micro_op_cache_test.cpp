#include "compiler/backend/vta/micro_op_cache.h"

#include <map>
#include <random>
#include <vector>

#include "tests/catch.h"
#include "tests/support/effort.h"

namespace vantage::test::backend_vta_micro_op_cache_test {

using namespace vantage;
using namespace vantage::vta;

TEST_CASE("a kernel stays in the micro-op scratchpad until its place is needed", "[unit]") {
  MicroOpCache cache(8);
  const auto place = [&](uint32_t kernel, uint32_t size) {
    const MicroOpCache::Place p = cache.place(kernel, size);
    return std::pair(p.begin, p.is_missing);
  };
  CHECK(place(0, 3) == std::pair(0u, true));
  CHECK(place(1, 3) == std::pair(3u, true));
  CHECK(place(0, 3) == std::pair(0u, false));
  CHECK(place(2, 4) == std::pair(0u, true));   // the two left at the end are too few: over 0 and 1
  CHECK(place(1, 3) == std::pair(4u, true));   // was in the way
  CHECK(place(2, 4) == std::pair(0u, false));  // was not
  CHECK(place(3, 8) == std::pair(0u, true));
  CHECK(place(2, 4) == std::pair(0u, true));
}

// Against all that lies there, looked at one by one.
TEST_CASE("random kernels lie in the micro-op scratchpad where nothing else does", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(200); ++round) {
    const auto depth = static_cast<uint32_t>(1 + random() % 64);
    std::vector<uint32_t> sizes;
    for (int kernel = 0; kernel < 12; ++kernel) sizes.push_back(static_cast<uint32_t>(1 + random() % depth));
    MicroOpCache cache(depth);
    std::map<uint32_t, uint32_t> begins;  // of those that lie there
    uint32_t next = 0;
    for (int use = 0; use < 100; ++use) {
      const auto kernel = static_cast<uint32_t>(random() % sizes.size());
      const bool is_missing = !begins.contains(kernel);
      if (is_missing) {
        const uint32_t begin = next + sizes[kernel] <= depth ? next : 0;
        next = begin + sizes[kernel];
        std::erase_if(begins, [&](const auto& other) {
          return other.second < next && begin < other.second + sizes[other.first];
        });
        begins[kernel] = begin;
      }
      const MicroOpCache::Place place = cache.place(kernel, sizes[kernel]);
      REQUIRE(place.begin == begins[kernel]);
      REQUIRE(place.is_missing == is_missing);
    }
  }
}

}  // namespace vantage::test::backend_vta_micro_op_cache_test
