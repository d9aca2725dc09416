// Words of commands that a shell reads: those that are printed to be copied, and scripts.
#pragma once

#include <string>
#include <string_view>

namespace vantage {

// The word as /bin/sh takes it for this text, whatever letters it has; as it is where they mean nothing to a shell.
std::string shell_word(std::string_view text);

}  // namespace vantage
