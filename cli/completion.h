// Scripts that let bash and zsh complete command lines, made from the commands.
#pragma once

#include <string>

#include "cli/command_tree.h"

namespace vantage::cli {

std::string bash_completion(const CommandEntry& top);
std::string zsh_completion(const CommandEntry& top);

}  // namespace vantage::cli
