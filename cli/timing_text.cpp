#include "cli/timing_text.h"

#include <fmt/format.h>

#include "base/json.h"
#include "cli/wrap.h"
#include "hw/fpga/clock_limit.h"

namespace vantage::cli {

namespace {

double slack_ns(const TimedCore& core, const fpga::CellDelays& delays) {
  return 1000.0 / core.clock_mhz - fpga::reached_ns(core.timing, delays);
}

}  // namespace

std::string timing_table(const std::vector<TimedCore>& cores, const fpga::CellDelays& delays) {
  std::string text = wrapped(fmt::format("timing on {}, {}; reached: nominal times {:.2f}, the calibration by {}",
                                         delays.name, delays.meaning, delays.calibration(), delays.calibration_core),
                             0);
  text += fmt::format("{:<20}{:>12} {:>12} {:>10} {:>9} {:>12}\n", "", "nominal ns", "reached ns", "MHz", "CLOCK_MHZ",
                      "slack ns");
  for (const TimedCore& core : cores) {
    const double ns = fpga::reached_ns(core.timing, delays);
    text += fmt::format("{:<20}{:>12.2f} {:>12.2f} {:>10.1f} {:>9} {:>12.2f}\n", core.given, core.timing.worst_ns, ns,
                        fpga::reached_mhz(core.timing, delays), core.clock_mhz, slack_ns(core, delays));
  }
  return text;
}

Json timing_json(const TimedCore& core, const fpga::CellDelays& delays) {
  const double reached = fpga::reached_ns(core.timing, delays);
  return {{"worst_ns", core.timing.worst_ns},    {"delays", delays.name},
          {"calibration", delays.calibration()}, {"reached_ns", reached},
          {"max_mhz", 1000 / reached},           {"clock_mhz", core.clock_mhz},
          {"slack_ns", slack_ns(core, delays)}};
}

std::string path_text(const fpga::TimingPath& path) {
  std::string text = fmt::format("{:.2f} ns to {}\n", path.ns, path.to());
  text += fmt::format("  from {}\n", path.from);
  text += fmt::format("  {:>7} {:>7} {:>7} {:>6}  {}\n", "at", "net", "cell", "fan-", "through");
  text += fmt::format("  {:>7} {:>7} {:>7} {:>6}\n", "ns", "ns", "ns", "out");
  text += fmt::format("  {:>7.2f} {:>7} {:>7} {:>6}  {}\n", path.launched_ns, "", "", "", path.from_cell);
  for (const fpga::PathStep& step : path.steps) {
    // Nets that Yosys made have names that say nothing.
    const std::string name = step.net.find('$') == std::string::npos ? " " + step.net : "";
    text += fmt::format("  {:>7.2f} {:>7.2f} {:>7.2f} {:>6}  {}{}{}\n", step.at_ns, step.net_ns, step.cell_ns,
                        step.fan_out, step.cell, step.pin.empty() ? "" : "." + step.pin, name);
  }
  if (path.ends > 1) {
    text += wrapped(fmt::format("and {} more ends between {} and {}", path.ends - 1, fpga::module_of(path.from),
                                fpga::module_of(path.to())),
                    0);
  }
  return text;
}

}  // namespace vantage::cli
