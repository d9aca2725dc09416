// What the programs of a sweep spend, by an energy model, beside their results.
//
// Thread safety: one thread at a time.
#pragma once

#include "explore/database.h"
#include "explore/sweep.h"
#include "hw/energy/energy_model.h"

namespace vantage::explore {

// Of each layer that has a program, of all workloads on all designs that are points of the sweep; what the model has
// there already is replaced. Throws Error as the database does.
void record_energies(Database& database, const SweepResult& sweep, const energy::EnergyModel& model);

}  // namespace vantage::explore
