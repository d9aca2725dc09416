#include "base/alarm.h"

#include <atomic>
#include <semaphore>

#include "tests/catch.h"

namespace vantage::test::base_alarm_test {

using namespace vantage;
using namespace std::chrono_literals;

TEST_CASE("an alarm rings after each duration that it was last told, until it is told none", "[unit]") {
  std::atomic<int> rings = 0;
  std::binary_semaphore over(0);
  const auto begin = std::chrono::steady_clock::now();
  const Alarm alarm(5ms, [&]() -> std::optional<Alarm::Duration> {
    if (++rings < 3) return 5ms;
    over.release();
    return std::nullopt;
  });
  over.acquire();
  CHECK(std::chrono::steady_clock::now() - begin >= 15ms);
  CHECK(rings == 3);
}

TEST_CASE("an alarm that is taken back does not ring, and is not waited for", "[unit]") {
  bool rang = false;
  {
    const Alarm alarm(10h, [&]() -> std::optional<Alarm::Duration> {
      rang = true;
      return std::nullopt;
    });
  }
  CHECK_FALSE(rang);
}

}  // namespace vantage::test::base_alarm_test
