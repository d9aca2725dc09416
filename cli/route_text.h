// Place and route as people read it.
#pragma once

#include <string>
#include <vector>

#include "hw/fpga/place_and_route/place_and_route.h"

namespace vantage::cli {

// What a line of the tables is about: a core, as the user named its configuration, and the clock that this asks for.
struct RoutedCore {
  std::string given;
  int clock_mhz = 0;
  fpga::PlaceAndRoute result;
};

// Tables of clocks and of what the part has, then the path that limits each core.
std::string route_text(const std::vector<RoutedCore>& cores);

// Of a core that does not fit, one line for each resource that is short, without its end: "8x8 does not fit the ...".
std::vector<std::string> shortages(const RoutedCore& core);

}  // namespace vantage::cli
