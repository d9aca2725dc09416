#include "base/file.h"

#include <sys/stat.h>

#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_file_test {

using namespace vantage;
using test::TemporaryFolder;

TEST_CASE("a file is replaced whole and keeps ordinary permissions", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.file("f", "old");
  write_file(path, "new contents");
  CHECK(read_file(path, Bytes(100)) == "new contents");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0400) != 0);
  CHECK((status.st_mode & 0111) == 0);
}

TEST_CASE("writing through a symbolic link keeps the link, writing to a device keeps the device", "[unit]") {
  const TemporaryFolder folder;
  const auto target = folder.file("target", "old");
  std::filesystem::create_symlink(target, folder.path() / "link");
  write_file(folder.path() / "link", "new");
  CHECK(std::filesystem::is_symlink(folder.path() / "link"));
  CHECK(read_file(target, Bytes(100)) == "new");
  write_file("/dev/null", "gone");
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a file keeps its mode, a dangling link gets its file", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.file("private", "old");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  write_file(path, "new");
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  std::filesystem::create_symlink("missing", folder.path() / "dangling");
  write_file(folder.path() / "dangling", "found");
  CHECK(read_file(folder.path() / "missing", Bytes(100)) == "found");
}

TEST_CASE("a place that cannot be written is refused before anything is computed", "[unit]") {
  CHECK_THAT(ERROR_OF(require_writable("/nonexistent/f")), ContainsSubstring("the folder /nonexistent does not exist"));
  CHECK_THAT(ERROR_OF(require_writable("/tmp")), ContainsSubstring("/tmp: is a directory"));
  CHECK_THAT(ERROR_OF(write_file("/proc/f", "x")), ContainsSubstring("/proc/f: cannot be written"));
}

TEST_CASE("reading stops at the limit", "[unit]") {
  const TemporaryFolder folder;
  CHECK_THAT(ERROR_OF(read_file(folder.file("f", std::string(200, 'x')), Bytes(100))),
             ContainsSubstring("larger than"));
  CHECK_THAT(ERROR_OF(read_file("/dev/zero", Bytes(1000))), ContainsSubstring("larger than"));
}

}  // namespace vantage::test::base_file_test
