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
    const auto at = [&](uint64_t element) { return all.begin() + static_cast<ptrdiff_t>(element); };
    // Some that lie apart, in order, and may be empty.
    const auto intervals = [&](uint64_t from) {
      std::vector<vta::Interval> some;
      for (uint64_t next = from; next < kSize && some.size() < 6; next = some.back().end + 1 + up_to(3)) {
        some.push_back({next, std::min(kSize, next + up_to(4))});
      }
      return some;
    };
    for (int step = 0; step < 30; ++step) {
      const uint64_t begin = up_to(kSize), end = begin + up_to(kSize - begin);
      const auto value = static_cast<int>(up_to(3));
      CAPTURE(round, step, begin, end, value);
      if (up_to(9) == 0) {
        const auto change = [&](int now) { return now == value ? -1 : now; };
        map.change_all(change);
        std::transform(all.begin(), all.end(), all.begin(), change);
      } else if (up_to(1) == 0) {
        const std::vector<vta::Interval> some = intervals(begin);
        map.assign(some, value);
        for (const vta::Interval& i : some) std::fill(at(i.begin), at(i.end), value);
      } else {
        map.assign(begin, end, value);
        std::fill(at(begin), at(end), value);
      }
      for (uint64_t e = 0; e < kSize; ++e) {
        CAPTURE(e);
        REQUIRE(map.any(e, e + 1, [&](int v) { return v == all[e]; }));
      }
      const uint64_t from = up_to(kSize), to = from + up_to(kSize - from);
      REQUIRE(map.any(from, to, [&](int v) { return v == value; }) == (std::find(at(from), at(to), value) != at(to)));
      const auto most = [&](uint64_t first, uint64_t last) {
        return first == last ? 1 : std::max(1, *std::max_element(at(first), at(last)));
      };
      REQUIRE(map.most(from, to, 1) == most(from, to));
      const std::vector<vta::Interval> some = intervals(from);
      int most_of_some = 1;
      for (const vta::Interval& i : some) most_of_some = std::max(most_of_some, most(i.begin, i.end));
      REQUIRE(map.most(some, 1) == most_of_some);
    }
  }
}

}  // namespace vantage::test::backend_vta_element_map_test
