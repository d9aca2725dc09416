// The layers of some designs of a sweep, for a page that puts two beside each other: of all of them there may be no
// room.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <vector>

#include "base/json_fwd.h"
#include "explore/results.h"
#include "hw/energy/energy_model.h"

namespace vantage::report {

// Rows of a table, the ones to keep first: those that no other beats in `time` and one of the others, each to be
// minimized; then by time. Rows without a time are left out.
std::vector<size_t> most_wanted(const std::vector<double>& time, const std::vector<std::vector<double>>& others);

// The layers of these designs for a workload, as many as have `most` layers together, as docs/report.md has it.
// `designs`: their numbers in the database and their places on the page.
struct NumberedDesign {
  int64_t number;
  size_t place;
};
Json sweep_layers(explore::Results& results, int64_t workload, const std::vector<NumberedDesign>& designs, size_t most,
                  const energy::EnergyModel* model = nullptr);

}  // namespace vantage::report
