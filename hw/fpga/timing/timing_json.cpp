#include "hw/fpga/timing/timing_json.h"

namespace vantage::fpga {

namespace {

constexpr double kLongestPath = 1e6;

Json to_json(const TimingPath& path) {
  Json steps = Json::array();
  for (const PathStep& step : path.steps) {
    steps.push_back({{"net_ns", step.net_ns},
                     {"cell_ns", step.cell_ns},
                     {"fan_out", step.fan_out},
                     {"cell", step.cell},
                     {"pin", step.pin},
                     {"net", step.net},
                     {"at_ns", step.at_ns}});
  }
  return {{"ns", path.ns},     {"from_cell", path.from_cell}, {"from", path.from}, {"launched_ns", path.launched_ns},
          {"ends", path.ends}, {"steps", std::move(steps)}};
}

TimingPath path_from_json(const JsonObject& object) {
  TimingPath path;
  path.ns = object.number("ns", 0, kLongestPath);
  path.from_cell = object.string("from_cell");
  path.from = object.string("from");
  path.launched_ns = object.number("launched_ns", 0, kLongestPath);
  path.ends = object.natural("ends", 1, UINT32_MAX);
  object.each_object(
      "steps", {"net_ns", "cell_ns", "fan_out", "cell", "pin", "net", "at_ns"}, [&](const JsonObject& step) {
        path.steps.push_back({step.number("net_ns", 0, kLongestPath), step.number("cell_ns", 0, kLongestPath),
                              static_cast<uint32_t>(step.natural("fan_out", 0, UINT32_MAX)), step.string("cell"),
                              step.string("pin"), step.string("net"), step.number("at_ns", 0, kLongestPath)});
      });
  if (path.steps.empty()) object.refuse("steps", "at least the end of the path");
  return path;
}

}  // namespace

Json to_json(const Timing& timing) {
  Json paths = Json::array();
  for (const TimingPath& path : timing.worst) paths.push_back(to_json(path));
  return {{"worst_ns", timing.worst_ns}, {"ends_by_ns", timing.ends_by_ns}, {"paths", std::move(paths)}};
}

Timing timing_from_json(const JsonObject& object) {
  Timing timing;
  timing.worst_ns = object.number("worst_ns", 0, kLongestPath);
  for (const int count : object.integers("ends_by_ns", 0, INT32_MAX)) {
    timing.ends_by_ns.push_back(static_cast<uint64_t>(count));
  }
  object.each_object("paths", {"ns", "from_cell", "from", "launched_ns", "ends", "steps"},
                     [&](const JsonObject& path) { timing.worst.push_back(path_from_json(path)); });
  return timing;
}

}  // namespace vantage::fpga
