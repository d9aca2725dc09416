// Static timing of cores: as people read it, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "hw/fpga/timing/cell_delays.h"
#include "hw/fpga/timing/static_timing.h"

namespace vantage::cli {

struct TimedCore {
  std::string given;  // as the user named the core's configuration
  int clock_mhz;      // that it asks for
  fpga::Timing timing;
};

// What each is expected to reach, and whether that is enough for its clock.
std::string timing_table(const std::vector<TimedCore>& cores, const fpga::CellDelays& delays);
// The same of one, without its paths.
Json timing_json(const TimedCore& core, const fpga::CellDelays& delays);

// One path, a line for each net and the cell behind it.
std::string path_text(const fpga::TimingPath& path);

}  // namespace vantage::cli
