// What changed between two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace vantage::cli {

// The lines of `after`, those not in `before` marked "+ ", and in their places those only in `before`, marked "- ";
// common ones begin with two blanks. As few marks as possible.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace vantage::cli
