// Static timing as people read it.
#pragma once

#include <string>

#include "hw/fpga/timing/cell_delays.h"
#include "hw/fpga/timing/static_timing.h"

namespace vantage::cli {

// One path, a line for each net and the cell behind it.
std::string path_text(const fpga::TimingPath& path);

}  // namespace vantage::cli
