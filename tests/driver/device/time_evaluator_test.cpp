#include "driver/device/time_evaluator.h"

#include "tests/catch.h"

namespace vantage::test::driver_device_time_evaluator_test {

using namespace vantage;
using namespace vantage::driver;

TEST_CASE("time_evaluator runs as often as it is told", "[unit]") {
  int runs = 0;
  const Timing timing = time_evaluator([&] { ++runs; }, {.number = 3, .repeat = 4, .min_ms = 0});
  CHECK(runs == 1 + 3 * 4);
  CHECK(timing.samples.size() == 4);
  CHECK(timing.number == 3);
  // A sample that is to take long enough takes more runs.
  CHECK(time_evaluator([&] { ++runs; }, {.number = 1, .repeat = 1, .min_ms = 1}).number > 100);
  const Timing known{{4, 1, 3, 2}, 1};
  CHECK(known.min() == 1);
  CHECK(known.mean() == 2.5);
  CHECK(known.median() == 2.5);
  CHECK(known.deviation() == Approx(1.2909944));
  CHECK(Timing{{5, 1, 2}, 1}.median() == 2);
  CHECK_THAT(ERROR_OF(time_evaluator([] {}, {.number = 0, .repeat = 1, .min_ms = 0})),
             ContainsSubstring("number is 0"));
  CHECK_THAT(ERROR_OF(time_evaluator([] {}, {.number = 1, .repeat = 0, .min_ms = 0})),
             ContainsSubstring("repeat is 0"));
}

}  // namespace vantage::test::driver_device_time_evaluator_test
