// A report as plain text for a terminal: the roofline with every layer, and bars.
//
// Thread safety: a function without state.
#pragma once

#include <string>

#include "report/report.h"

namespace vantage::report {

// At most 80 columns of ASCII, each line with its end. The roofline where the accelerator has time; then bytes of each
// kind of operand against the least that would do, what the stages did, and of several layers how long each took.
std::string plot(const Report& report);

}  // namespace vantage::report
