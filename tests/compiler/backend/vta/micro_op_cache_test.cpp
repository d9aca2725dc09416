#include "compiler/backend/vta/micro_op_cache.h"

#include "tests/catch.h"

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

}  // namespace vantage::test::backend_vta_micro_op_cache_test
