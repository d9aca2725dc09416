#include "base/replace_file.h"

#include <cerrno>

#include "base/file.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_replace_file_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

// Fails the call of this number, from 0.
class FailingCalls : public FileCalls {
 public:
  explicit FailingCalls(int failing) : left_(failing) {}

  int open(const std::filesystem::path& path, int flags, unsigned mode) override {
    const int file = fails() ? -1 : FileCalls::open(path, flags, mode);
    open_ += file >= 0;
    return file;
  }
  ssize_t write(int file, const void* bytes, size_t size) override {
    return fails() ? -1 : FileCalls::write(file, bytes, std::min<size_t>(size, 3));
  }
  int change_mode(int file, unsigned mode) override { return fails() ? -1 : FileCalls::change_mode(file, mode); }
  int sync_file(int file) override { return fails() ? -1 : FileCalls::sync_file(file); }
  int close(int file) override {
    --open_;
    const bool failed = fails();
    return FileCalls::close(file) != 0 || failed ? -1 : 0;
  }
  int rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    return fails() ? -1 : FileCalls::rename(from, to);
  }

  bool failed() const { return left_ < 0; }
  int open_files() const { return open_; }

 private:
  bool fails() {
    errno = EIO;
    return left_-- == 0;
  }

  int left_;
  int open_ = 0;
};

}  // namespace

TEST_CASE("whatever fails, a file has its old contents or its new ones, and nothing is left beside it", "[unit]") {
  const TemporaryFolder folder;
  int call = 0;
  for (bool failed = true; failed; ++call) {
    const auto path = folder.file("f", "old");
    FailingCalls calls(call);
    const Replacement how{.temporary = folder.path() / "f.new", .mode = 0640, .exact_mode = true, .to_disk = true};
    if (call == 8 || call == 9) {
      // It is in place, but nobody knows whether it will be after the power went.
      CHECK(ERROR_OF(replace_file(calls, path, "new one", how)) ==
            path.string() + ": cannot be written: Input/output error");
      CHECK(read_file(path, Bytes(100)) == "new one");
    } else if (call < 8) {
      CHECK(ERROR_OF(replace_file(calls, path, "new one", how)) ==
            path.string() + ": cannot be written: Input/output error");
      CHECK(read_file(path, Bytes(100)) == "old");
    } else {
      replace_file(calls, path, "new one", how);
      CHECK(read_file(path, Bytes(100)) == "new one");
      CHECK(static_cast<unsigned>(std::filesystem::status(path).permissions()) == 0640);
    }
    CHECK(calls.open_files() == 0);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    failed = calls.failed();
  }
  // Three pieces, one call each to open, change the mode, bring to the disk, close and rename, and three that bring the
  // folder to the disk.
  CHECK(call == 12);
}

TEST_CASE("what a lost run left beside a file is replaced, and never followed", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "f", beside = folder.path() / "f.new";
  const auto other = folder.file("other", "another's");
  std::filesystem::create_symlink(other, beside);
  FileCalls calls;
  replace_file(calls, path, "new", {.temporary = beside});
  CHECK(read_file(path, Bytes(100)) == "new");
  CHECK(read_file(other, Bytes(100)) == "another's");
  CHECK_FALSE(std::filesystem::exists(beside));
}

}  // namespace vantage::test::base_replace_file_test
