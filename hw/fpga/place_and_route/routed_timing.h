// What nextpnr says of a design that it placed and routed: the clock that it may have, the path that limits it, and
// what it takes of the part. Read from the file that --report writes.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_object.h"

namespace vantage::fpga {

// A piece of a path, in the order in which a signal takes them.
struct RoutedStep {
  std::string kind;  // "clk-to-q" and "setup" of registers, "logic" through a cell, "routing" along a net
  double ns = 0;
  std::string name;  // of routing: the net; otherwise the cell, and the pin that the signal leaves or ends at
  bool operator==(const RoutedStep&) const = default;
};

struct RoutedPath {
  std::string from, to;  // registers, by the names of their signals
  std::vector<RoutedStep> steps;

  double routing_ns() const;
  double logic_ns() const;  // all else: cells, and the registers at both ends
  double ns() const;
  bool operator==(const RoutedPath&) const = default;
};

// One placement and its routing.
struct Route {
  uint64_t seed = 0;
  double max_mhz = 0;
  RoutedPath critical;  // none in a design without paths between registers
  bool operator==(const Route&) const = default;
};

struct PartUse {
  std::string resource;  // as people call it: "LUTs"
  uint64_t used = 0, available = 0;
  bool operator==(const PartUse&) const = default;
};

// The clock of a routed design, which has one. `top` is an instance whose name begins those of all that is in the
// design, "u_vta.", and is left out. Throws Error naming the key, the value and what would be right.
Route route_of_report(const Json& report, std::string_view source, uint64_t seed, std::string_view top);

// What a design takes of an ECP5, packed or routed. Throws Error as above.
std::vector<PartUse> part_use_of_report(const Json& report, std::string_view source);

}  // namespace vantage::fpga
