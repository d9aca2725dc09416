// The page about a database of designs, for `vantage report`.
#pragma once

#include <string>
#include <vector>

namespace vantage::cli {

struct SweepReport {
  std::vector<std::string> workloads;  // names; empty: all
  std::string x, y;                    // what is drawn over what at first; empty: time over area
  std::string energy;                  // a JSON file, or a name from configs/energy; empty: none
};

// Writes the page `out` about the database `file`. Throws Error.
void write_sweep_report(const SweepReport& report, const std::string& file, const std::string& out);

}  // namespace vantage::cli
