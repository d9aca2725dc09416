// Folders of compiled functions that are not what they were. What the compiler saves is tested with the compiler.
#include "native/library.h"

#include "base/json.h"
#include "base/sha256.h"
#include "base/trusted_file.h"
#include "tests/catch.h"
#include "tests/support/damage.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "tests/support/temporary.h"

namespace vantage::test::native_library_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

// What is checked is the same whatever the bytes are, and loading these fails with a message of its own.
const std::string kBytes = "not a library, and never to be taken for one";
constexpr const char* kLoaded = "cannot be loaded";

#if defined(__x86_64__)
constexpr const char* kTriple = "x86_64-pc-linux-gnu";
#elif defined(__aarch64__)
constexpr const char* kTriple = "aarch64-linux-gnu";
#else
constexpr const char* kTriple = "arm-linux-gnueabihf";
#endif

struct Saved {
  Saved() {
    native::Parameter parameter;
    parameter.name = "n";
    parameter.dtype = {kDLInt, 32, 1};
    write_trusted_file(path, kBytes);
    write_trusted_file(manifest, to_text(native::Manifest{kTriple, {}, sha256(kBytes), {{"f", {parameter}}}}));
  }
  std::string refusal() const { return ERROR_OF(native::load_library(folder.path())); }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / native::kLibraryFile;
  std::filesystem::path manifest = folder.path() / native::kManifestFile;
};

}  // namespace

TEST_CASE("a library that is what its manifest says passes every check", "[unit]") {
  CHECK_THAT(Saved().refusal(), ContainsSubstring(kLoaded));
}

TEST_CASE("no damaged library is loaded, whether it is the code or the manifest", "[property]") {
  std::mt19937_64 random = test::generator(1);
  for (int i = 0; i < test::rounds(333); ++i) {
    const Saved saved;
    INFO(i << ": " << test::damage(random() % 2 == 0 ? saved.path : saved.manifest, random));
    const std::string refusal = saved.refusal();
    CHECK_THAT(refusal, ContainsSubstring("library.so") || ContainsSubstring("manifest.json"));
    CHECK_THAT(refusal, !ContainsSubstring(kLoaded));
  }
}

}  // namespace vantage::test::native_library_test
