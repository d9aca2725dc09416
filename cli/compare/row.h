// A line of a comparison, and comparisons as text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"

namespace vantage::cli {

// What a device could do at best, in operations and bytes per second: measured for processors, of accelerators what
// multipliers and bus are made for.
struct Roofline {
  double operations, bytes;

  double attainable(double intensity) const { return std::min(operations, intensity * bytes); }
};

struct CompareRow {
  std::string workload, target, dtype;
  std::optional<double> seconds = {};   // of targets that have time
  std::optional<uint64_t> cycles = {};  // of simulated ones
  int64_t operations = 0, bytes = 0;  // bytes: of accelerators what crossed the bus, of processors what must be touched
  std::optional<Roofline> roofline = {};
  std::string difference = {};  // empty: the result is right

  bool ok() const { return difference.empty(); }
  double intensity() const { return static_cast<double>(operations) / static_cast<double>(bytes); }
  std::optional<double> gops() const;
  std::optional<double> roofline_share() const;  // of what is attainable at this intensity
};

std::string table(const std::vector<CompareRow>& rows);
Json to_json(const std::vector<CompareRow>& rows);
std::string csv(const std::vector<CompareRow>& rows);

}  // namespace vantage::cli
