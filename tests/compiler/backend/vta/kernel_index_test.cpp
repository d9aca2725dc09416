#include "compiler/backend/vta/kernel_index.h"

#include <algorithm>
#include <random>
#include <vector>

#include "tests/catch.h"
#include "tests/support/effort.h"

namespace vantage::test::backend_vta_kernel_index_test {

using namespace vantage;
using namespace vantage::vta;

TEST_CASE("a kernel has the number of the first one like it", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(100); ++round) {
    KernelIndex index;
    std::vector<Kernel> kernels, expected;
    for (int i = 0; i < 60; ++i) {
      Kernel kernel{random() % 2 == 0 ? "gemm" : "gemm.reset", {}};
      for (uint64_t uops = random() % 3; uops > 0; --uops) {
        kernel.uops.push_back({static_cast<uint32_t>(random() % 2), 0, static_cast<uint32_t>(random() % 2)});
      }
      // Some are added by others.
      if (random() % 8 == 0) {
        kernels.push_back(kernel);
        expected.push_back(kernel);
        continue;
      }
      const auto first = std::ranges::find(expected, kernel);
      const auto number = static_cast<uint32_t>(first - expected.begin());
      if (first == expected.end()) expected.push_back(kernel);
      REQUIRE(index.number(kernels, kernel) == number);
      REQUIRE(kernels == expected);
    }
  }
}

}  // namespace vantage::test::backend_vta_kernel_index_test
