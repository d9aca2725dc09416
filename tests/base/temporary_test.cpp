#include "base/temporary.h"

#include <sys/stat.h>

#include "base/file.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_temporary_test {

using namespace vantage;
using test::TemporaryFolder;

TEST_CASE("a new directory comes whole or not at all", "[unit]") {
  const TemporaryFolder folder;
  const auto fill = [&](bool commit) {
    NewDirectory directory(folder.path() / "d");
    write_file(directory.path() / "f", "x");
    if (commit) directory.commit();
  };
  fill(false);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "d"));
  fill(true);
  CHECK(read_file(folder.path() / "d" / "f", Bytes(10)) == "x");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a file that another writes appears whole or not at all", "[unit]") {
  const TemporaryFolder folder;
  const auto target = folder.file("out", "old");
  ::chmod(target.c_str(), 0640);
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
  CHECK(static_cast<unsigned>(std::filesystem::status(target).permissions()) == 0640);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  CHECK(ERROR_OF(NewFile("/dev/null")) == "/dev/null: is a device, expected a file's name");
}

TEST_CASE("a new file and a new directory have the permissions that the system gives them", "[unit]") {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  write_file(folder.path() / "f", "x");
  NewDirectory directory(folder.path() / "d");
  directory.commit();
  ::umask(before);
  CHECK(static_cast<unsigned>(std::filesystem::status(folder.path() / "f").permissions()) == 0640);
  CHECK(static_cast<unsigned>(std::filesystem::status(folder.path() / "d").permissions()) == 0750);
}

}  // namespace vantage::test::base_temporary_test
