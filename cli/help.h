// The pages that --help prints, in 80 columns.
#pragma once

#include <string>

#include "cli/command_tree.h"

namespace vantage::cli {

// All that there is to say of a command.
std::string help_page(const CommandEntry& command);

// What a group of commands says when none of them is named: how it is called, and what there is.
std::string short_page(const CommandEntry& command);

// "vantage run gemm [options] FILE", without what the tool is called.
std::string usage_line(const CommandEntry& command);

// What an option is, in words: its text, its values and its default.
std::string option_text(const OptionEntry& option);

}  // namespace vantage::cli
