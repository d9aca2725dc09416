// Text of others on a terminal, in a log or in a table.
#pragma once

#include <string>
#include <string_view>

namespace vantage {

// Whether it is: control characters would end the line early or drive the terminal.
bool is_one_line(std::string_view text);

// One line, whatever bytes the text quotes: of a control character its number.
std::string one_line(std::string_view text);

}  // namespace vantage
