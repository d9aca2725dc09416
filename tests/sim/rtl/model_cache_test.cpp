#include "sim/rtl/model_cache.h"

#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/trusted_file.h"
#include "tests/catch.h"
#include "tests/support/damage.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "tests/support/temporary.h"

namespace vantage::test::sim_rtl_model_cache_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

// What is checked is the same whatever the bytes are, and loading these fails with a message of its own.
const std::string kBytes = "not a model of a core, and never to be taken for one";
constexpr const char* kLoaded = "cannot be loaded";

struct Kept {
  Kept() { sim::keep_model(folder.path(), path, kBytes); }
  std::string refusal() const { return ERROR_OF(sim::load_kept_model(folder.path(), path)); }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "model.so";
  std::filesystem::path note = folder.path() / "model.so.json";
};

}  // namespace

TEST_CASE("a model that was kept passes every check", "[unit]") {
  CHECK_THAT(Kept().refusal(), ContainsSubstring(kLoaded));
}

TEST_CASE("no damaged model is loaded, whether it is the library or its note", "[property]") {
  std::mt19937_64 random = test::generator(1);
  for (int i = 0; i < test::rounds(334); ++i) {
    const Kept kept;
    INFO(i << ": " << test::damage(random() % 2 == 0 ? kept.path : kept.note, random));
    const std::string refusal = kept.refusal();
    CHECK_THAT(refusal, ContainsSubstring("model.so"));
    CHECK_THAT(refusal, !ContainsSubstring(kLoaded));
  }
}

TEST_CASE("a model is not loaded for lying in the cache, nor in another's place", "[unit]") {
  const Kept kept;
  const std::string hash = sha256(kBytes);
  // As whoever can write there would vouch for it.
  write_trusted_file(kept.note, Json{{"sha256", hash}, {"seal", hash}}.dump());
  CHECK_THAT(kept.refusal(), ContainsSubstring("model.so.json: it has not the seal"));
  // From the cache of another.
  const Kept other;
  std::filesystem::copy_file(other.note, kept.note, std::filesystem::copy_options::overwrite_existing);
  CHECK_THAT(kept.refusal(), ContainsSubstring("it has not the seal"));
  // That of another configuration, which this cache has as well.
  const auto renamed = other.folder.path() / "renamed.so";
  std::filesystem::copy_file(other.path, renamed);
  std::filesystem::copy_file(other.note, std::filesystem::path(renamed) += ".json");
  CHECK_THAT(ERROR_OF(sim::load_kept_model(other.folder.path(), renamed)), ContainsSubstring("it has not the seal"));
}

}  // namespace vantage::test::sim_rtl_model_cache_test
