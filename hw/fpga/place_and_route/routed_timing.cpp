#include "hw/fpga/place_and_route/routed_timing.h"

#include <cmath>
#include <utility>

namespace vantage::fpga {

namespace {

constexpr double kMostReported = 1e6;  // of nanoseconds and megahertz
constexpr const char* kRouting = "routing";

// As nextpnr calls them, and as people do.
constexpr std::pair<const char*, const char*> kResources[] = {
    {"TRELLIS_COMB", "LUTs"}, {"TRELLIS_FF", "flip-flops"}, {"MULT18X18D", "multipliers"},
    {"DP16KD", "18 Kb RAMs"}, {"TRELLIS_RAMW", "LUT RAMs"}, {"TRELLIS_IO", "pins"},
};

// nextpnr counts picoseconds, and writes them as single-precision nanoseconds: 0.5249999761581421.
double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

// A cell has the name of a net that it drives, with its type and that pin behind it (Yosys's autoname). Of registers
// the net's name is what people know.
std::string register_name(std::string cell) {
  const size_t type = cell.rfind("_TRELLIS_FF_Q");
  if (type != std::string::npos) cell.resize(type);
  return cell;
}

std::string without(std::string_view top, std::string name) {
  if (name.starts_with(top)) name.erase(0, top.size());
  return name;
}

RoutedPath read_path(const JsonObject& path, std::string_view top) {
  RoutedPath result;
  path.each_object("path", {"delay", "from", "to", "type", "net", "sources"}, [&](const JsonObject& step) {
    const JsonObject to = step.object("to", {"cell", "loc", "port"});
    const std::string cell = without(top, to.string("cell"));
    const std::string kind = step.string("type");
    // Skew of a clock may be less than nothing.
    const double ns = rounded(step.number("delay", -kMostReported, kMostReported));
    if (kind == kRouting) {
      result.steps.push_back({kind, ns, without(top, step.string("net"))});
    } else {
      result.steps.push_back({kind, ns, cell + "." + to.string("port")});
    }
    if (result.from.empty()) result.from = register_name(cell);
    result.to = register_name(cell);
  });
  return result;
}

}  // namespace

double RoutedPath::routing_ns() const {
  double sum = 0;
  for (const RoutedStep& step : steps) sum += step.kind == kRouting ? step.ns : 0;
  return rounded(sum);
}

double RoutedPath::logic_ns() const {
  double sum = 0;
  for (const RoutedStep& step : steps) sum += step.kind == kRouting ? 0 : step.ns;
  return rounded(sum);
}

double RoutedPath::ns() const {
  return rounded(logic_ns() + routing_ns());
}

Route route_of_report(const Json& report, std::string_view source, uint64_t seed, std::string_view top) {
  const JsonObject object(report, std::string(source));
  Route route;
  route.seed = seed;
  const JsonObject clocks = object.object("fmax");
  const std::vector<std::string> names = clocks.keys();
  if (names.size() != 1) object.refuse("fmax", "one clock");
  route.max_mhz = rounded(clocks.object(names[0], {"achieved", "constraint"}).number("achieved", 0, kMostReported));
  const auto clocked = [](const std::string& event) { return event.starts_with("posedge"); };
  object.each_object("critical_paths", {"from", "to", "path", "max_delay"}, [&](const JsonObject& path) {
    if (!clocked(path.string("from")) || !clocked(path.string("to"))) return;
    RoutedPath read = read_path(path, top);
    if (read.ns() > route.critical.ns()) route.critical = std::move(read);
  });
  return route;
}

std::vector<PartUse> part_use_of_report(const Json& report, std::string_view source) {
  const JsonObject object(report, std::string(source));
  const JsonObject all = object.object("utilization");
  std::vector<PartUse> result;
  for (const auto& [key, name] : kResources) {
    const JsonObject one = all.object(key, {"used", "available"});
    result.push_back({name, one.natural("used", 0, UINT32_MAX), one.natural("available", 0, UINT32_MAX)});
  }
  return result;
}

}  // namespace vantage::fpga
