// All operators as the Markdown list of docs/graphs.md, an input or attribute a line.
#pragma once

#include <string>

namespace vantage::ops {

std::string operator_list();

}  // namespace vantage::ops
