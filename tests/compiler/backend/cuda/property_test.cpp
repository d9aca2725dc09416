// Whatever schedule is lowered to threads computes what it says, without a race.
#include "compiler/ir/printer.h"
#include "compiler/ir/thread_axes.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/random_threads.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_backend_cuda_property_test {

using namespace vantage;

TEST_CASE("random schedules with loops on threads are interpreted as threads", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  int kernels = 0, barriers = 0, pipelines = 0, refused = 0;
  for (int round = 0; round < test::rounds(200); ++round) {
    const auto one = test::random_threaded_case(random, fmt::format("f{}", round));
    if (!one) {
      ++refused;
      continue;
    }
    const std::string text = ir::to_text(one->lowered);
    kernels += ir::thread_loops(one->lowered.body).empty() ? 0 : 1;
    barriers += text.find("storage_sync") != std::string::npos ? 1 : 0;
    pipelines += text.find("commit_copies") != std::string::npos ? 1 : 0;
  }
  WARN(kernels << " with kernels, " << barriers << " with barriers, " << pipelines << " that fetch ahead, " << refused
               << " refused");
  CHECK(kernels >= 20);
  CHECK(barriers >= 3);
  CHECK(pipelines >= 1);
  CHECK(2 * refused <= test::rounds(200));
}

}  // namespace vantage::test::compiler_backend_cuda_property_test
