// Replays recorded programs: the project's own always, and those of another VTA compiler where they are at hand.
#include <fmt/format.h>

#include "driver/open/open.h"
#include "driver/runtime/replay.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_shared_bundles_test {

using namespace vantage;

namespace {

size_t replay_all(const std::filesystem::path& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Bundle bundle = load_bundle(entry.path());
    const auto device = driver::open_accelerator("fsim:", bundle.config);
    const auto result = driver::replay(*device, bundle);
    INFO(bundle.name << ": " << result.mismatch.value_or(""));
    CHECK(result.ok());
    CHECK_FALSE(has_errors(bundle.verify()));
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("the project's own recorded bundles replay", "[golden]") {
  CHECK(replay_all(test::source_dir() / "tests" / "data" / "bundles") >= 5);
}

TEST_CASE("bundles recorded from another VTA compiler replay", "[golden]") {
  const auto folder = test::source_dir() / ".." / "shared" / "bundles";
  if (!std::filesystem::is_directory(folder)) {
    WARN("SKIPPED: no folder " << folder << "; only the project's own bundles were replayed");
    return;
  }
  CHECK(replay_all(folder) >= 30);
}

}  // namespace vantage::test::cli_shared_bundles_test
