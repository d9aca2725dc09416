#include "base/file.h"

#include <sys/stat.h>

#include "tests/catch.h"
#include "tests/support/temporary.h"
#include "tests/support/unprivileged.h"

namespace vantage::test::base_file_test {

using namespace vantage;
using test::TemporaryFolder;
using test::Unprivileged;

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

TEST_CASE("a file that may not be written is refused before anything is computed", "[unit]") {
  using std::filesystem::perms;
  const TemporaryFolder folder;
  const auto read_only = folder.file("read-only", "old");
  const auto open_folder = folder.path() / "open", closed_folder = folder.path() / "closed";
  for (const auto& made : {open_folder, closed_folder}) std::filesystem::create_directory(made);
  write_file(open_folder / "target", "old");
  std::filesystem::create_symlink(open_folder / "target", closed_folder / "link");
  std::filesystem::create_symlink(closed_folder / "target", open_folder / "link");
  for (const auto& path : {folder.path(), open_folder, open_folder / "target"}) {
    std::filesystem::permissions(path, perms::all);
  }
  std::filesystem::permissions(read_only, perms::owner_read | perms::group_read | perms::others_read);
  std::filesystem::permissions(closed_folder,
                               perms::owner_read | perms::owner_exec | perms::group_exec | perms::others_exec);
  {
    const Unprivileged unprivileged;
    if (unprivileged.bound()) {
      CHECK(ERROR_OF(require_writable(read_only)) == read_only.string() + ": cannot be written: Permission denied");
      CHECK(ERROR_OF(require_new_file(read_only)) == read_only.string() + ": cannot be written: Permission denied");
      CHECK(ERROR_OF(write_file(read_only, "new")) == read_only.string() + ": cannot be written: Permission denied");
      // What counts is where a link leads.
      CHECK_NOTHROW(require_writable(closed_folder / "link"));
      CHECK_NOTHROW(write_file(closed_folder / "link", "new"));
      CHECK(ERROR_OF(require_writable(open_folder / "link")) ==
            fmt::format("{}: cannot be written: folder {}: Permission denied", (open_folder / "link").string(),
                        closed_folder.string()));
    } else {
      WARN("skipped: this system does not let root become another user");
    }
  }
  std::filesystem::permissions(closed_folder, perms::owner_all);
  CHECK(read_file(read_only, Bytes(100)) == "old");
}

TEST_CASE("reading stops at the limit", "[unit]") {
  const TemporaryFolder folder;
  CHECK_THAT(ERROR_OF(read_file(folder.file("f", std::string(200, 'x')), Bytes(100))),
             ContainsSubstring("larger than"));
  CHECK_THAT(ERROR_OF(read_file("/dev/zero", Bytes(1000))), ContainsSubstring("larger than"));
}

}  // namespace vantage::test::base_file_test
