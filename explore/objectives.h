// What designs are to have little of.
//
// Thread safety: values and functions without state.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explore/design.h"
#include "hw/fpga/area/part_fit.h"

namespace vantage::explore {

// What all workloads of a design take together.
struct Spent {
  double cycles = 0;
  double pj = 0;  // by an energy model (hw/energy); 0 where there is none
  // That a processor beside it takes for what the accelerator leaves, roughly; known before anything is measured.
  double left_seconds = 0;
};

struct Objective {
  std::string name;
  std::string meaning;  // a line
  // More of what is spent never makes it less.
  double (*value)(const Design& design, const Spent& spent);
  bool is_of_energy = false;  // it is 0 without a model
};

// Of the parts that objectives of area are about, as Yosys names it: Series 7.
inline constexpr const char* kAreaFamily = "xc7";

// What a core takes of such a part, by estimate (docs/area.md). It stands for other families, too, of which
// there is none.
fpga::Resources area_of(const isa::Config& config);

// Whether the estimate is of cores like this one; else it is an extrapolation.
bool is_area_known(const isa::Config& config);
// The resource of such parts that an objective of this name is; null where it is none.
const fpga::PartResource* resource_of(std::string_view objective);

const std::vector<Objective>& objectives();
// Throws Error, with those that are near, for a name that is none.
const Objective& find_objective(std::string_view name);

// Whether the values are no larger anywhere, and smaller somewhere.
bool dominates(const std::vector<double>& values, const std::vector<double>& others);

}  // namespace vantage::explore
