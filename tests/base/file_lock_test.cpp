#include "base/file_lock.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_file_lock_test {

using namespace vantage;

TEST_CASE("one holds a lock at a time, the others wait for it", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "lock";
  std::atomic<int> inside = 0, most = 0, turns = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 20; ++turn) {
        const FileLock lock(path);
        most = std::max(most.load(), ++inside);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        --inside;
        ++turns;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(most == 1);
  CHECK(turns == 80);
}

TEST_CASE("who waits for a lock is told so, once", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "lock";
  std::atomic<int> told = 0;
  std::optional<FileLock> held(std::in_place, path, [&](const std::string&) { ++told; });
  CHECK(told == 0);
  std::thread waiting([&] { const FileLock lock(path, [&](const std::string&) { ++told; }); });
  while (told == 0) std::this_thread::yield();
  held.reset();
  waiting.join();
  CHECK(told == 1);
}

TEST_CASE("a lock where nothing may be made says which folder to give", "[unit]") {
  CHECK_THAT(ERROR_OF(FileLock("/nonexistent/lock")),
             ContainsSubstring("/nonexistent/lock: No such file") && ContainsSubstring("VANTAGE_CACHE_DIR"));
}

}  // namespace vantage::test::base_file_lock_test
