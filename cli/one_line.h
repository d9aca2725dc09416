// Text of others on a terminal or in a log.
#pragma once

#include <string>
#include <string_view>

namespace vantage::cli {

// One line, whatever bytes the text quotes: control characters would end it early or drive the terminal.
std::string one_line(std::string_view text);

}  // namespace vantage::cli
