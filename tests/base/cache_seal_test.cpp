#include "base/cache_seal.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/sha256.h"
#include "tests/catch.h"
#include "tests/support/damage.h"
#include "tests/support/generator.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_cache_seal_test {

using namespace vantage;
using test::TemporaryFolder;

TEST_CASE("a cache's seals hold for later processes, and for no other cache or text", "[unit]") {
  const TemporaryFolder folder;
  const auto cache = folder.path() / "a";
  const std::string seal = CacheSeal(cache).of("text");
  CHECK(is_sha256(seal));
  CHECK(CacheSeal(cache).of("text") == seal);
  CHECK(CacheSeal(cache).of("texts") != seal);
  CHECK(CacheSeal(folder.path() / "b").of("text") != seal);
  CHECK(CacheSeal::holds(cache, "text", seal));
  CHECK_FALSE(CacheSeal::holds(cache, "texts", seal));
  // Who only asks makes no key.
  CHECK_FALSE(CacheSeal::holds(folder.path(), "text", seal));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "seal-key"));
  struct stat status {};
  REQUIRE(::stat((cache / "seal-key").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a key that is damaged or that others may know gives way to a new one", "[property]") {
  std::mt19937_64 random = test::generator(1);
  for (int i = 0; i < 50; ++i) {
    const TemporaryFolder folder;
    const std::string seal = CacheSeal(folder.path()).of("text");
    INFO(test::damage(folder.path() / "seal-key", random));
    // A folder in its place cannot be removed as a file is.
    if (std::filesystem::is_directory(folder.path() / "seal-key")) {
      CHECK_THAT(ERROR_OF(CacheSeal(folder.path())), ContainsSubstring("seal-key: cannot be written"));
      continue;
    }
    const std::string other = CacheSeal(folder.path()).of("text");
    CHECK(other != seal);
    CHECK(CacheSeal(folder.path()).of("text") == other);
  }
}

}  // namespace vantage::test::base_cache_seal_test
