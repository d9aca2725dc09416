#include "base/file.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <sys/stat.h>

#include "tests/catch.h"
#include "tests/support/temporary.h"

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

TEST_CASE("a file keeps its mode, a dangling link gets its file, a new directory comes whole or not at all", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.file("private", "old");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  write_file(path, "new");
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  std::filesystem::create_symlink("missing", folder.path() / "dangling");
  write_file(folder.path() / "dangling", "found");
  CHECK(read_file(folder.path() / "missing", Bytes(100)) == "found");

  const auto fill = [&](bool commit) {
    NewDirectory directory(folder.path() / "d");
    write_file(directory.path() / "f", "x");
    if (commit) directory.commit();
  };
  fill(false);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "d"));
  fill(true);
  CHECK(read_file(folder.path() / "d" / "f", Bytes(10)) == "x");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 4);
}

TEST_CASE("a file that another writes appears whole or not at all", "[unit]") {
  const test::TemporaryFolder folder;
  const auto target = folder.file("out", "old");
  {
    NewFile file(target);
    write_file(file.path(), "half");
    write_file(file.path().parent_path() / "by-product", "x");
  }
  CHECK(read_file(target, Bytes(100)) == "old");
  {
    NewFile file(target);
    write_file(file.path(), "new");
    file.commit();
  }
  CHECK(read_file(target, Bytes(100)) == "new");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  CHECK(ERROR_OF(NewFile("/dev/null")) == "/dev/null: is a device, expected a file's name");
}

TEST_CASE("a signal ends a program and what it has under way", "[unit]") {
  const test::TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = fork();
    if (child == 0) {
      std::signal(signal, SIG_DFL);  // the test framework has handlers of its own
      remove_temporaries_on_signals();
      const NewDirectory directory(folder.path() / "d");
      const NewFile file(folder.path() / "f");
      kill(getpid(), signal);
      while (true) pause();
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
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

TEST_CASE("gzip files unpack, plain ones pass through, damaged ones and bombs are refused", "[unit]") {
  const TemporaryFolder folder;
  const std::string text(100000, 'a');
  const std::string packed = gzip(text);
  CHECK(packed.size() < 1000);
  CHECK(read_gzip_file(folder.file("a.gz", packed), Bytes(text.size())) == text);
  CHECK(read_gzip_file(folder.file("plain", "text"), Bytes(100)) == "text");
  CHECK_THAT(ERROR_OF(read_gzip_file(folder.file("b.gz", packed), Bytes(1000))), ContainsSubstring("unpacks to more"));
  CHECK_THAT(ERROR_OF(read_gzip_file(folder.file("c.gz", packed.substr(0, packed.size() / 2)), Bytes(text.size()))),
             ContainsSubstring("damaged gzip file: it ends too early"));
  std::string flipped = packed;
  flipped[packed.size() - 6] ^= 1;
  CHECK_THAT(ERROR_OF(read_gzip_file(folder.file("d.gz", flipped), Bytes(text.size()))),
             ContainsSubstring("damaged gzip file"));
  CHECK(gzip(text) == packed);  // no time stamp inside
}
