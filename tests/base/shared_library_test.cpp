#include "base/shared_library.h"

#include <dlfcn.h>
#include <zlib.h>

#include "base/file.h"
#include "base/sha256.h"
#include "tests/catch.h"

namespace vantage::test::base_shared_library_test {

using namespace vantage;

namespace {

// A library that every machine with these tests has.
std::string some_library() {
  Dl_info info{};
  REQUIRE(::dladdr(reinterpret_cast<void*>(&::zlibVersion), &info) != 0);
  return read_file(info.dli_fname, Bytes(uint64_t{1} << 26));
}

}  // namespace

TEST_CASE("a library is loaded from bytes alone, once", "[unit]") {
  const std::string bytes = some_library();
  const SharedLibrary library = SharedLibrary::load(bytes, sha256(bytes), "z");
  using Version = const char* (*)();
  const auto version = reinterpret_cast<Version>(library.symbol("zlibVersion"));
  REQUIRE(version != nullptr);
  CHECK(version() == std::string(::zlibVersion()));
  CHECK(library.symbol("no_such_function") == nullptr);
  CHECK(SharedLibrary::load(bytes, sha256(bytes), "again").symbol("zlibVersion") == library.symbol("zlibVersion"));
  // Other bytes are another library, also when they differ in nothing that matters.
  const std::string longer = bytes + '\0';
  CHECK(SharedLibrary::load(longer, sha256(longer), "longer").symbol("zlibVersion") != library.symbol("zlibVersion"));
}

TEST_CASE("what is no library is refused with its name", "[unit]") {
  CHECK_THAT(ERROR_OF(SharedLibrary::load("text", sha256("text"), "f.so")),
             ContainsSubstring("f.so: cannot be loaded: "));
}

}  // namespace vantage::test::base_shared_library_test
