// What counts of a database say that was spent.
//
// Thread safety: a function without state.
#pragma once

#include "base/units.h"
#include "explore/results.h"
#include "hw/energy/energy_model.h"
#include "hw/isa/config.h"

namespace vantage::report {

// `row` has explore::count_columns() from the column `counts` on.
energy::Energy energy_of(const explore::Results::Row& row, int counts, Cycles cycles, const isa::Config& config,
                         const energy::EnergyModel& model);

}  // namespace vantage::report
