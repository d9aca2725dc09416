#include "compiler/graph/memory_plan.h"

#include <random>

#include "tests/catch.h"
#include "tests/support/effort.h"

namespace vantage::test::graph_memory_plan_test {

using namespace vantage::graph;

TEST_CASE("what lives at the same step has memory of its own", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(200); ++round) {
    std::vector<Lifetime> all;
    const size_t steps = 1 + random() % 30;
    for (size_t i = 0; i < steps; ++i) {
      Lifetime one{1 + random() % 100, i, std::min(steps, i + random() % 6)};
      if (i > 0 && random() % 2 == 0) one.in_place_of = random() % i;
      all.push_back(one);
    }
    const MemoryPlan plan = plan_memory(all);
    CHECK(plan.bytes() >= most_alive(all));
    for (size_t i = 0; i < all.size(); ++i) {
      CHECK(plan.slot_bytes[plan.slots[i]] >= all[i].bytes);
      for (size_t j = 0; j < i; ++j) {
        if (plan.slots[i] != plan.slots[j] || all[j].last < all[i].first || all[i].last < all[j].first) continue;
        CHECK((all[i].in_place_of == j && all[j].last == all[i].first));
      }
    }
  }
}

TEST_CASE("a chain of equal values takes two places, one where each takes its predecessor's", "[unit]") {
  std::vector<Lifetime> all;
  for (size_t i = 0; i < 10; ++i) all.push_back({100, i, i + 1});
  CHECK(plan_memory(all).bytes() == 200);
  CHECK(most_alive(all) == 200);
  for (size_t i = 1; i < 10; ++i) all[i].in_place_of = i - 1;
  CHECK(plan_memory(all).bytes() == 100);
}

}  // namespace vantage::test::graph_memory_plan_test
