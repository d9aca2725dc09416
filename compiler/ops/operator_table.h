// All operators as the Markdown table of docs/graphs.md.
#pragma once

#include <string>

namespace vantage::ops {

std::string operator_table();

}  // namespace vantage::ops
