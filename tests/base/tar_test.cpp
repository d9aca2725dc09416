// Files in an archive come out as they went in; what is none is refused.
#include "base/tar.h"

#include <random>

#include "base/file.h"
#include "base/process.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/full_disk.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_tar_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

constexpr Bytes kLimit{1 << 20};

std::string packed(const TemporaryFolder& folder, const std::vector<std::pair<std::string, std::string>>& files) {
  const auto path = folder.path() / "a.tar";
  TarWriter writer(path);
  for (const auto& [name, bytes] : files) {
    writer.add(name,
               {std::string_view(bytes).substr(0, bytes.size() / 2), std::string_view(bytes).substr(bytes.size() / 2)});
  }
  writer.commit();
  return read_file(path, kLimit);
}

}  // namespace

TEST_CASE("files come out of an archive as they went in", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const TemporaryFolder folder;
  for (int round = 0; round < test::rounds(20); ++round) {
    std::map<std::string, std::string, std::less<>> files;
    for (uint64_t i = 0; i < random() % 5; ++i) {
      std::string bytes(random() % 2000, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
      files.emplace(std::string(1 + random() % 150, 'a') + "/" + std::to_string(i), bytes);
    }
    const std::string tar = packed(folder, {files.begin(), files.end()});
    if (files.empty()) continue;
    CHECK(is_tar(tar));
    CHECK(read_tar(tar, "a.tar", kLimit) == files);
  }
}

TEST_CASE("an archive is what tar reads", "[unit]") {
  const TemporaryFolder folder;
  packed(folder, {{"one", "1\n"}, {"folder/two", "22\n"}});
  CHECK(run_tool({"tar", "xOf", "a.tar", "folder/two"}, folder.path(), "tar") == "22\n");
}

TEST_CASE("what the system refuses to write is said as the system says it, and nothing is left", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.tar";
  for (const size_t size : {100, 100'000}) {
    const test::FullDisk full(10);
    const std::string bytes(size, 'x');
    const std::string said = ERROR_OF([&] {
      TarWriter writer(path);
      writer.add("one", {bytes});
      writer.commit();
    }());
    CHECK(said == path.string() + ": cannot be written: File too large");
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("what is no archive of plain files is refused", "[unit]") {
  const TemporaryFolder folder;
  const std::string tar = packed(folder, {{"one", std::string(3000, 'x')}, {"two", "2"}});
  CHECK_THAT(ERROR_OF(read_tar("", "a.tar", kLimit)), ContainsSubstring("a.tar: is no tar archive"));
  CHECK_THAT(ERROR_OF(read_tar(tar.substr(0, 1500), "a.tar", kLimit)), ContainsSubstring("a.tar: "));
  CHECK_THAT(ERROR_OF(read_tar(tar, "a.tar", Bytes(3000))), ContainsSubstring("has more than 3000 bytes"));
  CHECK_THAT(ERROR_OF(read_tar(packed(folder, {{"one", "1"}, {"one", "2"}}), "a.tar", kLimit)),
             ContainsSubstring("has one twice"));
  for (const char* made : {"ln -s /etc/passwd link", "mkfifo link", "mkdir link"}) {
    const TemporaryFolder other;
    run_tool({"sh", "-c", std::string(made) + " && tar cf a.tar link"}, other.path(), "tar");
    CHECK_THAT(ERROR_OF(read_tar(read_file(other.path() / "a.tar", kLimit), "a.tar", kLimit)),
               ContainsSubstring("which is no plain file"));
  }
}

}  // namespace vantage::test::base_tar_test
