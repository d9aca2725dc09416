// The tool's name as its user types it: "./vantage" in a checkout, "vantage" where it is installed.
#pragma once

#include <string>
#include <string_view>

namespace vantage::cli {

// What the launcher that started this process says in VANTAGE_CALLED_AS, or "vantage".
std::string called_as();

// `text` with every "vantage" that stands for the tool replaced by that name: as a command at the beginning, behind a
// backtick, a quote, "&&", "|" or a setting of the environment.
std::string with_called_as(std::string_view text);

}  // namespace vantage::cli
