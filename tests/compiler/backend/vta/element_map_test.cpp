#include "compiler/backend/vta/element_map.h"

#include <algorithm>
#include <random>
#include <vector>

#include "tests/catch.h"
#include "tests/support/effort.h"

namespace vantage::test::backend_vta_element_map_test {

using vta::ElementMap;

TEST_CASE("a map of elements is one value for each", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(300); ++round) {
    constexpr uint64_t kSize = 40;
    const auto up_to = [&](uint64_t most) { return random() % (most + 1); };
    ElementMap<int> map(-1);
    std::vector<int> all(kSize, -1);
    for (int step = 0; step < 30; ++step) {
      const uint64_t begin = up_to(kSize), end = begin + up_to(kSize - begin);
      const auto value = static_cast<int>(up_to(3));
      CAPTURE(round, step, begin, end, value);
      if (up_to(9) == 0) {
        const auto change = [&](int now) { return now == value ? -1 : now; };
        map.change_all(change);
        std::transform(all.begin(), all.end(), all.begin(), change);
      } else {
        map.assign(begin, end, value);
        std::fill(all.begin() + static_cast<ptrdiff_t>(begin), all.begin() + static_cast<ptrdiff_t>(end), value);
      }
      for (uint64_t e = 0; e < kSize; ++e) {
        CAPTURE(e);
        REQUIRE(map.any(e, e + 1, [&](int v) { return v == all[e]; }));
      }
      const uint64_t from = up_to(kSize), to = from + up_to(kSize - from);
      const auto first = all.begin() + static_cast<ptrdiff_t>(from), last = all.begin() + static_cast<ptrdiff_t>(to);
      REQUIRE(map.any(from, to, [&](int v) { return v == value; }) == (std::find(first, last, value) != last));
      REQUIRE(map.most(from, to, 1) == (from == to ? 1 : std::max(1, *std::max_element(first, last))));
    }
  }
}

}  // namespace vantage::test::backend_vta_element_map_test
