#include "explore/objectives.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "hw/fpga/area/area_model.h"

namespace vantage::explore {

namespace {

double ms(const Design& design, const Spent& spent) {
  return spent.cycles / (1e3 * design.config.clock_mhz());
}

const fpga::AreaModel& area_model() {
  static const fpga::AreaModel kModel = fpga::AreaModel::of_family(kAreaFamily).value();
  return kModel;
}

double scratchpad_bytes(const isa::Config& config) {
  uint64_t bytes = 0;
  for (const isa::Memory memory : {isa::Memory::kUop, isa::Memory::kInp, isa::Memory::kWgt, isa::Memory::kAcc}) {
    bytes += config.scratchpad_size(memory).count();
  }
  return static_cast<double>(bytes);
}

}  // namespace

fpga::Resources area_of(const isa::Config& config) {
  return area_model().estimate(config);
}

bool is_area_known(const isa::Config& config) {
  return area_model().covers(config);
}

const fpga::PartResource* resource_of(std::string_view objective) {
  const auto& all = fpga::part_resources();
  const auto found = std::ranges::find(all, objective, &fpga::PartResource::key);
  return found == all.end() ? nullptr : &*found;
}

const std::vector<Objective>& objectives() {
  static const std::vector<Objective> kObjectives = {
      {"cycles", "of all workloads together", [](const Design&, const Spent& spent) { return spent.cycles; }},
      {"ms", "the same at the design's clock", ms},
      {"total_ms", "with what stays on a processor beside it, roughly",
       [](const Design& design, const Spent& spent) { return ms(design, spent) + 1e3 * spent.left_seconds; }},
      {"energy_mj", "millijoules of all workloads together, by --energy",
       [](const Design&, const Spent& spent) { return 1e-9 * spent.pj; }, true},
      {"edp", "energy by time, in joule-seconds, of all workloads together",
       [](const Design& design, const Spent& spent) { return 1e-15 * spent.pj * ms(design, spent); }, true},
      {"macs", "multipliers",
       [](const Design& design, const Spent&) {
         return static_cast<double>(design.config.batch() * design.config.block_in() * design.config.block_out());
       }},
      {"scratchpad_bytes", "of all scratchpads",
       [](const Design& design, const Spent&) { return scratchpad_bytes(design.config); }},
      {"luts", "of an FPGA, by estimate",
       [](const Design& design, const Spent&) { return static_cast<double>(area_of(design.config).luts); }},
      {"flip_flops", "likewise",
       [](const Design& design, const Spent&) { return static_cast<double>(area_of(design.config).flip_flops); }},
      {"dsps", "likewise",
       [](const Design& design, const Spent&) { return static_cast<double>(area_of(design.config).dsps); }},
      {"block_rams", "of 36 Kbit, likewise",
       [](const Design& design, const Spent&) { return static_cast<double>(area_of(design.config).block_rams); }},
      {"bus_bytes", "that the bus brings in a cycle",
       [](const Design& design, const Spent&) { return static_cast<double>(design.config.bus_width().count()); }},
  };
  return kObjectives;
}

const Objective& find_objective(std::string_view name) {
  const auto found = std::ranges::find(objectives(), name, &Objective::name);
  if (found != objectives().end()) return *found;
  std::vector<std::string> names;
  for (const Objective& objective : objectives()) names.push_back(objective.name);
  fail("there is no objective '{}'{}", name, did_you_mean(std::string(name), names));
}

bool dominates(const std::vector<double>& values, const std::vector<double>& others) {
  bool is_smaller = false;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] > others[i]) return false;
    is_smaller |= values[i] < others[i];
  }
  return is_smaller;
}

}  // namespace vantage::explore
