// What a page about many designs is made of: the JSON document that says what a database of them has (docs/report.md).
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "explore/results.h"
#include "hw/energy/energy_model.h"

namespace vantage::report {

struct SweepRequest {
  std::string file = {};                        // the database, as it is called in errors and on the page
  std::string made_by = {};                     // "vantage 0.1.0"
  std::vector<std::string> workloads = {};      // names; empty: all that it has
  std::string x = {}, y = {};                   // what is drawn over what at first; empty: time over area
  const energy::EnergyModel* energy = nullptr;  // what is spent by it is shown, too
  std::function<void(const std::string&)> progress = nullptr;  // told what begins
};

// Throws Error naming the file: when it has no results, no such workload, or no such axis. Takes memory for a number
// each of what it has of a design, and for the layers of some thousand designs.
Json sweep_document(explore::Results& results, const SweepRequest& request);

}  // namespace vantage::report
