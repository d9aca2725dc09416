// Which designs share programs: those that take as many cycles for them.
#include "explore/design.h"

#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_design_test {

using namespace vantage;

namespace {

std::string core_at(int clock_mhz, const std::string& memory) {
  Json config = isa::Config::vta_default().to_json();
  config["CLOCK_MHZ"] = clock_mhz;
  return explore::core_of({isa::Config::from_json(config, "c"), MemoryTiming::parse(memory, "m", clock_mhz)});
}

}  // namespace

TEST_CASE("designs with other clocks share programs where memory takes as many cycles", "[unit]") {
  const std::string in_cycles = R"({"name": "a", "bytes_per_cycle": 2})";
  CHECK(core_at(100, in_cycles) == core_at(400, in_cycles));
  CHECK(core_at(100, R"({"name": "a"})") == core_at(400, R"({"name": "b", "source": "there"})"));
  const std::string in_seconds = R"({"name": "a", "gbytes_per_s": 0.8})";
  CHECK(core_at(100, in_seconds) != core_at(400, in_seconds));
  CHECK(core_at(400, in_seconds) == core_at(100, in_cycles));
  CHECK(core_at(400, in_seconds) == core_at(200, R"({"name": "a", "gbytes_per_s": 0.4})"));
  const std::string in_nanoseconds = R"({"name": "a", "read_latency_ns": 100})";
  CHECK(core_at(100, in_nanoseconds) != core_at(400, in_nanoseconds));
}

}  // namespace vantage::test::explore_design_test
