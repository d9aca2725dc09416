#include "cli/route_text.h"

#include <fmt/format.h>

namespace vantage::cli {

namespace {

constexpr size_t kNames = 20;

// A file's name may be longer than its column.
std::string first_column(const std::string& given) {
  return given.size() < kNames ? fmt::format("{:<{}}", given, kNames) : fmt::format("{}\n{:<{}}", given, "", kNames);
}

std::string clock_table(const std::vector<RoutedCore>& cores) {
  std::string text = fmt::format("{:<{}}{:>8} {:>9} {:>9} {:>10} {:>9}  {}\n", "", kNames, "MHz", "path ns", "logic ns",
                                 "routing ns", "CLOCK_MHZ", "MHz of each seed");
  for (const RoutedCore& core : cores) {
    if (!core.result.fits()) {
      text += fmt::format("{}{:>8}\n", first_column(core.given), "-");
      continue;
    }
    const fpga::Route& best = core.result.best();
    text += fmt::format("{}{:>8.2f} {:>9.2f} {:>9.2f} {:>10.2f} {:>9} ", first_column(core.given), best.max_mhz,
                        best.critical.ns(), best.critical.logic_ns(), best.critical.routing_ns(), core.clock_mhz);
    for (const fpga::Route& route : core.result.routes) text += fmt::format(" {:.2f}", route.max_mhz);
    text += "\n";
  }
  return text;
}

std::string use_table(const std::vector<RoutedCore>& cores) {
  std::string text = fmt::format("{:<{}}", "", kNames), available = fmt::format("{:<{}}", "the part has", kNames);
  for (const fpga::PartUse& use : cores.front().result.used) {
    text += fmt::format("{:>12} ", use.resource);
    available += fmt::format("{:>6}       ", use.available);
  }
  text += "\n" + available + "\n";
  for (const RoutedCore& core : cores) {
    text += first_column(core.given);
    for (const fpga::PartUse& use : core.result.used) {
      const double share = 100.0 * static_cast<double>(use.used) / static_cast<double>(use.available);
      text += fmt::format("{:>6} {:>5}{}", use.used, use.available == 0 ? "-" : fmt::format("{:.0f}%", share),
                          use.used <= use.available ? ' ' : '!');
    }
    text += "\n";
  }
  return text;
}

std::string critical_path_text(const fpga::RoutedPath& path) {
  std::string text = fmt::format("{:.2f} ns to {}\n  from {}\n", path.ns(), path.to, path.from);
  text += fmt::format("  {:>7} {:>7}  {}\n", "at ns", "ns", "through");
  double at = 0;
  for (const fpga::RoutedStep& step : path.steps) {
    at += step.ns;
    text += fmt::format("  {:>7.2f} {:>7.2f}  {:<8} {}\n", at, step.ns, step.kind, step.name);
  }
  return text;
}

}  // namespace

std::string route_text(const std::vector<RoutedCore>& cores) {
  std::string text = fmt::format("placed and routed on an {}, by nextpnr\n", fpga::kRoutedPart);
  text += clock_table(cores) + "\n" + use_table(cores);
  for (const RoutedCore& core : cores) {
    if (core.result.fits())
      text += fmt::format("\n{}: {}", core.given, critical_path_text(core.result.best().critical));
  }
  return text;
}

std::vector<std::string> shortages(const RoutedCore& core) {
  std::vector<std::string> lines;
  for (const fpga::PartUse& use : core.result.used) {
    if (use.used <= use.available) continue;
    lines.push_back(fmt::format("{} does not fit the {}: it takes {} {}, the part has {}", core.given,
                                fpga::kRoutedPart, use.used, use.resource, use.available));
  }
  return lines;
}

}  // namespace vantage::cli
