// The line of a bar: what it says, and that it is steady.
#include "cli/progress_line.h"

#include <cmath>

#include "tests/catch.h"

namespace vantage::test::cli_progress_line_test {

using namespace std::chrono_literals;
using cli::progress_line;
using cli::RecentRate;

TEST_CASE("a bar's line has the rate and the time left", "[unit]") {
  const std::string bar = " [####                          ] ";
  CHECK(progress_line("designs", 12, 90, 3.1) == "designs" + bar + "12/90, 3.1/s, 25 s left");
  CHECK(progress_line("designs", 12, 90, std::nullopt) == "designs" + bar + "12/90");
  CHECK(progress_line("designs", 12, 90, 0.05) == "designs" + bar + "12/90, 3.0/min, 26 min left");
  CHECK(progress_line("designs", 12, 90, 0.001) == "designs" + bar + "12/90, 3.6/h, 22 h left");
  CHECK(progress_line("designs", 12, 90, 0.0001) == "designs" + bar + "12/90, 0.4/h, 9 days left");
  CHECK(progress_line("steps", 2, 2, 250.4) == "steps [##############################] 2/2, 250/s");
  CHECK(progress_line("steps", 0, 0, std::nullopt).ends_with("#] 0/0"));
  CHECK(progress_line("steps", 3, 2, std::nullopt).ends_with("#] 3/2"));
  const std::string long_one = progress_line("reference rows", 123'456'789, 1'000'000'000, 1.5);
  CHECK(long_one.size() == 79);
  CHECK(long_one.ends_with("] 123456789/1000000000, 1.5/s, 6763 days left"));
  CHECK(progress_line(std::string(200, 'x'), 1, UINT64_MAX, 1.5).size() == 79);
}

TEST_CASE("a rate is of late, and of what was not there at first", "[unit]") {
  RecentRate rate;
  const RecentRate::Time start{};
  CHECK_FALSE(rate.after(5000, start));
  CHECK_FALSE(rate.after(5001, start + 200ms));  // too soon
  CHECK_FALSE(rate.after(5000, start + 400ms));  // something else is counted from here
  CHECK_FALSE(rate.after(5000, start + 2400ms));
  CHECK(rate.after(5004, start + 2400ms) == 2.0);
  CHECK(rate.after(5004, start + 4400ms) == 1.0);  // falls while nothing is done
  // Ten a second from here: what was before is forgotten.
  for (int i = 1; i <= 400; ++i) rate.after(5004 + i, start + 4400ms + i * 100ms);
  CHECK(std::abs(rate.after(5404, start + 44400ms).value() - 10) < 0.1);
  // One in a minute still has a rate.
  rate.after(5405, start + 104400ms);
  rate.after(5406, start + 164400ms);
  CHECK(std::abs(60 * rate.after(5406, start + 164400ms).value() - 1) < 0.01);
}

}  // namespace vantage::test::cli_progress_line_test
