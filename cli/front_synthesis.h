// The designs of a front by Yosys: what they take, how far the estimate is off by which they were chosen, and whether
// the front is one by these counts, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "cli/synth_option.h"
#include "explore/front.h"
#include "explore/space.h"
#include "hw/fpga/part.h"
#include "hw/fpga/timing/cell_delays.h"

namespace vantage::cli {

class FrontSynthesis {
 public:
  // Synthesizes what is on the front, for the part that the space is for, or for Series 7, which the objectives of area
  // are about. `minimize`: what the values of designs are.
  FrontSynthesis(const std::vector<std::string>& minimize, const std::vector<explore::Measured>& measured,
                 const explore::Space& space, const SynthOption& option);

  // A table, and what it says about the front.
  std::string text() const;
  // Of each design an object (docs/json.md).
  Json json() const;

 private:
  struct Point {
    uint64_t number;
    explore::Design design;
    std::vector<double> values;  // by Yosys where they are of area
    fpga::Resources estimate;
    fpga::Synthesis synthesis = {};
    std::optional<uint64_t> beaten_by = {};  // by Yosys's counts
  };

  bool fits(const Point& point) const;
  double mhz(const Point& point) const;  // that are expected of it; there must be delays
  std::string verdict() const;

  std::string family_;
  std::optional<fpga::Part> part_;
  std::optional<fpga::CellDelays> delays_;  // where there are some for the family
  bool is_of_area_ = false;                 // something of what is minimized
  std::vector<Point> points_;               // by the first of what is minimized, as tables have them
};

}  // namespace vantage::cli
