// Static timing of a netlist: when every net is stable at the latest, and the paths that take longest. Sums of delays
// of cells and of a model of nets (cell_delays.h), the same for the same netlist, nominal: what a part reaches is known
// by calibration.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/fpga/timing/cell_delays.h"
#include "hw/fpga/timing/netlist.h"

namespace vantage::fpga {

// A net on the way into a cell, and what drives that cell's output.
struct PathStep {
  double net_ns = 0, cell_ns = 0;
  uint32_t fan_out = 0;
  std::string cell, pin;  // its type, and the pin that the path comes in by
  std::string net;        // that the cell drives; of the last step, the register or the port that it ends at
  double at_ns = 0;       // when that is stable; of the last step, the path's length
  bool operator==(const PathStep&) const = default;
};

struct TimingPath {
  double ns = 0;
  std::string from_cell, from;  // what launches it: a cell's type, or "port", and the net
  double launched_ns = 0;       // when that is stable
  std::vector<PathStep> steps;
  uint64_t ends = 1;  // where paths between the same modules end that take more than half of the longest of all

  const std::string& to() const { return steps.back().net; }
  bool operator==(const TimingPath&) const = default;
};

struct Timing {
  double worst_ns = 0;  // nominal
  // Registers, memories and ports where paths end: [n] counts those whose path takes n to n + 1 ns.
  std::vector<uint64_t> ends_by_ns;
  // One for each pair of modules between which such a path leads, the longest first; none shorter than half of it.
  std::vector<TimingPath> worst;
  bool operator==(const Timing&) const = default;

  uint64_t ends() const;
  uint64_t ends_beyond(uint64_t ns) const;
};

struct TimingOptions {
  size_t paths = 10;
  // Ports that are registered outside and reach all over the core, such as a reset: stable from the edge on.
  std::vector<std::string> early_inputs = {};
};

// Throws Error for cells that have no delays, with their types, and for loops of nets, with a net of each.
Timing analyze_timing(const Netlist& netlist, const CellDelays& delays, const TimingOptions& options = {});

// "core.load" of "core.load.left_q[3]"; empty at the top.
std::string module_of(std::string_view net);

}  // namespace vantage::fpga
