// What changed between two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace vantage::cli {

// The lines of `after`, those not in `before` marked "+ ", and in their places those only in `before`, marked "- ";
// common ones begin with two blanks. As few marks as possible; where thousands of
// lines differ on both sides, all of them are marked.
std::string line_diff(std::string_view before, std::string_view after);

// Such marked lines with no more than `context` common ones before and after each that is marked; how many were left
// out stands in their place.
std::string with_context(std::string_view marked, size_t context);

}  // namespace vantage::cli
