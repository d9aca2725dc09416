#include "base/trusted_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/catch.h"
#include "tests/support/damage.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_trusted_file_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

constexpr Bytes kLimit{100};

}  // namespace

TEST_CASE("a file that was written to be trusted is read again, whatever the process's mask", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "f";
  for (const mode_t mask : {022, 002, 077, 0}) {
    const mode_t before = ::umask(mask);
    write_trusted_file(path, "some bytes");
    ::umask(before);
    CHECK(read_trusted_file(path, kLimit) == "some bytes");
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  CHECK_THAT(ERROR_OF(read_trusted_file(path, Bytes(9))), ContainsSubstring("f: larger than the 9 bytes"));
}

TEST_CASE("a file that others may have written, or that is none, is refused with the remedy", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "f";
  const auto refusal = [&] { return ERROR_OF(read_trusted_file(path, kLimit)); };
  CHECK_THAT(refusal(), ContainsSubstring("f: cannot be read: "));
  folder.file("other", "bytes");
  std::filesystem::create_symlink("other", path);
  CHECK_THAT(refusal(), ContainsSubstring("f: is a symbolic link"));
  std::filesystem::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_THAT(refusal(), ContainsSubstring("f: is no plain file"));
  std::filesystem::remove(path);
  write_trusted_file(path, "bytes");
  for (const mode_t mode : {0664, 0646}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    CHECK_THAT(refusal(), ContainsSubstring("may be written by others than its owner") &&
                              ContainsSubstring("chmod go-w " + path.string()));
  }
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  CHECK(read_trusted_file(path, kLimit) == "bytes");
  if (::geteuid() != 0) return;
  REQUIRE(::chown(path.c_str(), 65534, 65534) == 0);
  CHECK_THAT(refusal(), ContainsSubstring("f: belongs to user 65534, expected this one, 0, or root"));
}

}  // namespace vantage::test::base_trusted_file_test
