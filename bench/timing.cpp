// The clock that static timing gives the default core on a Zynq-7000 (docs/timing.md): the same for the same core, so a
// change of the core that makes a path longer shows here. Synthesized once, then known; nothing is timed.
#include <fmt/format.h>

#include "base/cache.h"
#include "base/error.h"
#include "bench/targets.h"
#include "hw/fpga/clock_limit.h"
#include "hw/fpga/synthesis.h"

namespace vantage::bench {
namespace {

// What it was when this was last changed, in megahertz (2026-11-24), and the share of it that must be left.
constexpr double kRecordedMhz = 160.3;
constexpr double kShare = 0.97;

int run() {
  const auto delays = fpga::CellDelays::of_family("xc7").value();
  const auto tell = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  const auto core = fpga::synthesize(isa::Config::vta_default(), delays.family, {default_cache(), false, tell});
  const double mhz = 1000 / fpga::reached_ns(core.timing.value(), delays);
  return report({{fmt::format("static timing of the default core on {}, {} MHz recorded", delays.name, kRecordedMhz),
                  mhz, kShare * kRecordedMhz, true, "MHz"}});
}

}  // namespace
}  // namespace vantage::bench

int main() {
  try {
    return vantage::bench::run();
  } catch (const vantage::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
