// The manual pages, made from the commands.
#pragma once

#include <string>

#include "cli/command_tree.h"

namespace vantage::cli {

// "vantage-run-gemm", which is also what the page's file is called, with ".1" behind it.
std::string manual_name(const CommandEntry& command);

// The page in man's macros.
std::string manual_page(const CommandEntry& command);

}  // namespace vantage::cli
