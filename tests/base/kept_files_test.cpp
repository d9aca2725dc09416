// What is kept is found as it was, or not at all.
#include "base/kept_files.h"

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "tests/catch.h"
#include "tests/support/damage.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_kept_files_test {

namespace fs = std::filesystem;

namespace {

const std::string kA = kept_key({"a"}), kB = kept_key({"b"});

void age(const fs::path& file, int hours) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
}

}  // namespace

TEST_CASE("no two lists of parts have the same key", "[unit]") {
  CHECK(kept_key({"a", "b"}) == kept_key({"a", "b"}));
  CHECK(kept_key({"a", "b"}) != kept_key({"b", "a"}));
  CHECK(kept_key({"a", "b"}) != kept_key({"ab"}));
  CHECK(kept_key({"a", "b"}) != kept_key({"ab", ""}));
  CHECK(kept_key({"1:a"}) != kept_key({"", "a"}));
  CHECK(kept_key({}) != kept_key({""}));
}

TEST_CASE("what is kept is found by its key, in every run, in its format", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string text("a\0b\n\xff\n", 6);
  {
    KeptFiles files(folder.path() / "kept", "test/1");
    CHECK_FALSE(files.find(kA));
    files.keep(kA, "older");
    files.keep(kA, text);
    files.keep(kB, "");
    CHECK(files.find(kA) == text);
  }
  const KeptFiles again(folder.path() / "kept", "test/1");
  CHECK(again.find(kA) == text);
  CHECK(again.find(kB) == "");
  CHECK_FALSE(KeptFiles(folder.path() / "kept", "test/2").find(kA));
}

TEST_CASE("what was damaged is not found", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(60); ++round) {
    const test::TemporaryFolder folder;
    KeptFiles files(folder.path(), "test/1");
    files.keep(kA, "something");
    INFO(test::damage(folder.path() / kA, random));
    CHECK_FALSE(files.find(kA));
  }
}

TEST_CASE("what lies in another's place, or comes from another cache, is not found", "[unit]") {
  const test::TemporaryFolder folder, elsewhere;
  KeptFiles files(folder.path(), "test/1"), other(elsewhere.path(), "test/1");
  files.keep(kA, "something");
  other.keep(kB, "something");
  const std::string bytes = read_file(folder.path() / kA, Bytes(1 << 10));
  write_file(elsewhere.path() / kA, bytes);
  CHECK_FALSE(other.find(kA));
  write_file(folder.path() / kB, bytes);
  CHECK_FALSE(files.find(kB));
  CHECK(files.find(kA) == "something");
}

TEST_CASE("a folder that can keep nothing is as if it were empty", "[unit]") {
  KeptFiles files("/proc/nowhere", "test/1");
  files.keep(kA, "something");
  CHECK_FALSE(files.find(kA));
}

TEST_CASE("threads keep and find in one folder at once", "[unit]") {
  const test::TemporaryFolder folder;
  KeptFiles mine(folder.path(), "test/1", Bytes(40'000)), another(folder.path(), "test/1", Bytes(40'000));
  const auto text = [](size_t i) { return std::string(500 + i, static_cast<char>('a' + i)); };
  in_parallel(400, 8, [&](size_t i) {
    const size_t which = i % 20;
    KeptFiles& files = i % 2 == 0 ? mine : another;
    const std::string key = kept_key({std::to_string(which)});
    files.keep(key, text(which));
    if (const auto found = files.find(key)) VANTAGE_CHECK(*found == text(which));
  });
  for (size_t i = 0; i < 20; ++i) CHECK(mine.find(kept_key({std::to_string(i)})) == text(i));
}

TEST_CASE("when there is no more room, what was used the longest ago goes", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string text(1000, 'x');
  std::vector<std::string> keys;
  for (int i = 0; i < 16; ++i) keys.push_back(kept_key({std::to_string(i)}));
  const fs::path foreign = folder.path() / "notes", begun = folder.path() / (kA + ".abcdefgh");
  write_file(begun, "left by a process that was killed");
  age(begun, 1000);
  write_file(foreign, std::string(50'000, 'x'));
  {
    KeptFiles files(folder.path(), "test/1", Bytes(12'000));
    for (int i = 0; i < 10; ++i) {
      files.keep(keys[i], text);
      age(folder.path() / keys[i], 10 - i);
    }
    CHECK(files.find(keys[0]) == text);  // which is its last use now
    CHECK(files.find(keys[1]) == text);
    age(folder.path() / keys[1], 9);
    for (int i = 10; i < 12; ++i) files.keep(keys[i], text);
    CHECK_FALSE(fs::exists(begun));
    CHECK(files.find(keys[0]));
    for (int i = 1; i < 4; ++i) CHECK_FALSE(files.find(keys[i]));
    for (int i = 5; i < 12; ++i) CHECK(files.find(keys[i]));
  }
  // Another process looks at what is there first.
  KeptFiles files(folder.path(), "test/1", Bytes(12'000));
  for (int i = 12; i < 16; ++i) files.keep(keys[i], text);
  uint64_t bytes = 0;
  for (const std::string& key : keys) {
    std::error_code none;
    const uint64_t size = fs::file_size(folder.path() / key, none);
    if (!none) bytes += size;
  }
  CHECK(bytes <= 12'000);
  CHECK(files.find(keys[15]));
  CHECK(fs::exists(foreign));
  // One that would take most of the room is not worth it.
  files.keep(kA, std::string(4'000, 'x'));
  CHECK_FALSE(files.find(kA));
  CHECK(files.find(keys[15]));
}

}  // namespace vantage::test::base_kept_files_test
