#include "compiler/backend/vta/element_set.h"

#include <random>
#include <set>
#include <vector>

#include "tests/catch.h"
#include "tests/support/effort.h"

namespace vantage::test::backend_vta_element_set_test {

using namespace vantage;
using vta::ElementSet, vta::Interval;

TEST_CASE("the elements of micro-ops in two loops are those of all turns", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(300); ++round) {
    const auto up_to = [&](uint64_t most) { return random() % (most + 1); };
    struct Loop {
      uint64_t count, stride;
    };
    const Loop in{1 + up_to(20), up_to(1) * up_to(80)}, out{1 + up_to(20), up_to(200)};
    std::vector<uint64_t> bases(1 + up_to(30));
    const uint64_t lowest = up_to(3) * 100;
    for (uint64_t& base : bases) base = lowest + up_to(round % 2 == 0 ? 10 : 300);
    std::set<uint64_t> touched;
    for (const uint64_t base : bases) {
      for (uint64_t o = 0; o < out.count; ++o) {
        for (uint64_t i = 0; i < in.count; ++i) touched.insert(base + o * out.stride + i * in.stride);
      }
    }
    ElementSet set(*touched.begin(), *touched.rbegin() + 1);
    for (const uint64_t base : bases) set.add(base);
    set.repeat(in.count, in.stride);
    set.repeat(out.count, out.stride);
    std::vector<Interval> expected;
    for (const uint64_t element : touched) {
      if (expected.empty() || expected.back().end != element) expected.push_back({element, element});
      ++expected.back().end;
    }
    CAPTURE(in.count, in.stride, out.count, out.stride, bases);
    std::vector<Interval> intervals;
    set.for_each_interval([&](const Interval& i) { intervals.push_back(i); });
    REQUIRE(intervals == expected);
  }
}

}  // namespace vantage::test::backend_vta_element_set_test
