#include "cli/timing_text.h"

#include <fmt/format.h>

#include "cli/wrap.h"

namespace vantage::cli {

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
