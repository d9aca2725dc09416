#include "base/parallel.h"

#include <atomic>
#include <vector>

#include "base/error.h"
#include "tests/catch.h"

namespace vantage::test::base_parallel_test {

using namespace vantage;

TEST_CASE("each piece of work is done once, by any number of threads", "[unit]") {
  for (const size_t threads : {0, 1, 2, 7, 100}) {
    for (const size_t count : {0, 1, 5, 64}) {
      INFO(threads << " threads, " << count << " pieces");
      std::vector<std::atomic<int>> done(count);
      std::atomic<size_t> running = 0, most = 0;
      in_parallel(count, threads, [&](size_t i) {
        const size_t now = ++running;
        for (size_t seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        ++done[i];
        --running;
      });
      for (const auto& times : done) CHECK(times == 1);
      if (threads > 0) CHECK(most <= threads);
    }
  }
}

TEST_CASE("of errors the lowest piece's is thrown, and nothing is begun after one", "[unit]") {
  for (const size_t threads : {1, 2, 8}) {
    std::atomic<size_t> begun = 0;
    const auto run = [&] {
      in_parallel(1'000'000, threads, [&](size_t i) {
        ++begun;
        if (i >= 20 && i % 3 == 2) fail("piece {}", i);
      });
    };
    CHECK(ERROR_OF(run()) == "piece 20");
    CHECK(begun >= 21);
    CHECK(begun < 1'000'000);
  }
}

}  // namespace vantage::test::base_parallel_test
