// Designs that none beats, as a table.
#pragma once

#include <string>
#include <vector>

#include "explore/front.h"
#include "explore/space.h"

namespace vantage::cli {

// A line for each design that is on the front, by the first of what is minimized; how it fits the part that the space
// is for, if it is for one.
std::string front_table(const std::vector<std::string>& minimize, const std::vector<explore::Measured>& measured,
                        const explore::Space& space);

}  // namespace vantage::cli
